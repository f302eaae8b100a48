// Building elements, and bringing a part of the page up to date without touching what stays the same.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Build an element.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes] null, undefined and false
 *   leave an attribute out; true writes it empty. "class" is left out where it is empty.
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...present(children));
  return element;
}

/** @param {Element} element @param {Record<string, string | number | boolean | null | undefined>} attributes */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false || (name === "class" && value === "")) {
      element.removeAttribute(name);
    } else if (element.getAttribute(name) !== String(value === true ? "" : value)) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function present(children) {
  return children.flatMap((child) => (child ? [child] : []));
}

/**
 * Make a parent's children equal to those given. Whatever is equal already stays the element it was, with its
 * focus and its motion; whatever differs only inside is changed inside.
 * @param {Element} parent
 * @param {...Child} children
 */
export function sync(parent, ...children) {
  const wanted = el("template", {}, ...children).childNodes;
  syncNodes(parent, [...wanted]);
}

/** @param {Element} parent @param {ChildNode[]} wanted */
function syncNodes(parent, wanted) {
  const found = [...parent.childNodes];
  wanted.forEach((node, index) => {
    const old = found[index];
    if (old === undefined) parent.append(node);
    else if (!old.isEqualNode(node)) become(old, node);
  });
  found.slice(wanted.length).forEach((node) => node.remove());
}

/** Turn a node into another, in place if they are of one kind. @param {ChildNode} old @param {ChildNode} node */
function become(old, node) {
  if (!(old instanceof Element && node instanceof Element) || old.tagName !== node.tagName) {
    old.replaceWith(node);
    return;
  }
  for (const { name } of [...old.attributes]) if (!node.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of node.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  syncNodes(old, [...node.childNodes]);
}

/**
 * Return an element that the page is sure to have.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement}
 */
export function find(selector, root = document) {
  const found = root.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
  return found;
}

/**
 * Make a parent's child elements equal to those given, told apart by a key instead of by their place: an element
 * whose key is wanted again stays, wherever its neighbours go. The order of those that stay must not change.
 * @param {Element} parent
 * @param {HTMLElement[]} wanted
 * @param {(element: HTMLElement) => string} keyOf
 */
export function syncKeyed(parent, wanted, keyOf) {
  const keys = new Set(wanted.map(keyOf));
  /** @type {Map<string, HTMLElement>} */
  const kept = new Map();
  for (const child of [...parent.children]) {
    const key = child instanceof HTMLElement ? keyOf(child) : "";
    if (child instanceof HTMLElement && keys.has(key) && !kept.has(key)) kept.set(key, child);
    else child.remove();
  }
  let cursor = parent.firstElementChild;
  for (const node of wanted) {
    const old = kept.get(keyOf(node));
    if (old === undefined) {
      parent.insertBefore(node, cursor);
      continue;
    }
    if (!old.isEqualNode(node)) become(old, node);
    if (old === cursor) cursor = cursor.nextElementSibling;
    else parent.insertBefore(old, cursor);
  }
}
