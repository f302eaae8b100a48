// What is wrong with how a screen is laid out, a line a fault. `fits`: whether nothing of it may need scrolling.
(fits) => {
  const found = new Set();
  const [W, H] = [innerWidth, innerHeight];
  const top = [...document.querySelectorAll("dialog[open], [popover]:popover-open")].at(-1) ?? document.body;

  // ---- what is seen

  const isSeen = (one) => {
    const { width, height } = one.getBoundingClientRect();
    if (width < 1 || height < 1 || one.closest(".vh, [hidden]")) return false;
    if ([one, one.parentElement].some((box) => box && getComputedStyle(box).clipPath === "inset(50%)")) return false;
    return one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const all = (selector) => [...top.querySelectorAll(selector)].filter(isSeen);
  const name = (one) => {
    const text = (one.getAttribute("aria-label") ?? one.textContent).trim().replace(/\s+/g, " ").slice(0, 28);
    return `${one.localName}${one.className?.trim?.() ? `.${one.className.trim().replace(/\s+/g, ".")}` : ""} «${one.dataset.card ?? text}»`;
  };
  const isAloof = (one) => {
    for (let box = one; box && box !== top; box = box.parentElement) {
      if (["sticky", "fixed"].includes(getComputedStyle(box).position)) return true;
    }
    return false;
  };
  // Where a box is seen through all that clips it; `cut` is what cuts it for good, where nothing can be scrolled.
  const through = (rect, from) => {
    const seen = { left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom };
    let cut = null;
    let [freeX, freeY] = [false, false];
    for (let box = from; box && box !== document.documentElement; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (box === document.body || style.display === "inline" || style.display === "contents") continue;
      const edge = box.getBoundingClientRect();
      const slack = { x: 1.5, y: 1 + (rect.bottom - rect.top) * 0.2 };
      if (style.overflowX !== "visible") {
        if (["auto", "scroll"].includes(style.overflowX)) freeX = true;
        const isOut = rect.left < edge.left - slack.x || rect.right > edge.right + slack.x;
        if (!freeX && isOut) cut ??= box;
        seen.left = Math.max(seen.left, edge.left);
        seen.right = Math.min(seen.right, edge.right);
      }
      if (style.overflowY !== "visible") {
        if (["auto", "scroll"].includes(style.overflowY)) freeY = true;
        const isOut = rect.top < edge.top - slack.y || rect.bottom > edge.bottom + slack.y;
        if (!freeY && isOut) cut ??= box;
        seen.top = Math.max(seen.top, edge.top);
        seen.bottom = Math.min(seen.bottom, edge.bottom);
      }
      if (style.position === "fixed") break;
    }
    return { seen, cut, isScrolled: freeX || freeY };
  };

  // ---- text: all of it is there, and none lies over another

  const lines = [];
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement;
    if (!node.data.trim() || holder.closest("script, style, option, svg, .vh") || !isSeen(holder)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width < 1) continue;
      const { seen, cut } = through(rect, holder);
      if (cut) found.add(`the text of ${name(holder)} is cut off by ${name(cut)}`);
      if (rect.left < -1 || rect.right > W + 1) {
        const isScrolled = seen.left >= -1 && seen.right <= W + 1;
        if (!isScrolled) found.add(`the text of ${name(holder)} leaves the window`);
      }
      const shrunk = (seen.bottom - seen.top) * 0.15;
      const box = { ...seen, top: seen.top + shrunk, bottom: seen.bottom - shrunk };
      if (box.right - box.left > 1 && box.bottom - box.top > 1) lines.push({ holder, box, aloof: isAloof(holder) });
    }
  }
  const cross = (p, q) => [
    Math.min(p.right, q.right) - Math.max(p.left, q.left),
    Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top),
  ];
  lines.forEach((one, index) => {
    for (const other of lines.slice(index + 1)) {
      if (one.holder === other.holder || one.aloof !== other.aloof) continue;
      const [x, y] = cross(one.box, other.box);
      if (x > 2 && y > 2) found.add(`the text of ${name(one.holder)} lies over that of ${name(other.holder)}`);
    }
  });
  for (const one of all("*")) {
    const style = getComputedStyle(one);
    const isCut = one.scrollWidth > one.clientWidth + 1 && style.overflowX === "hidden" && style.textOverflow === "ellipsis";
    if (isCut) found.add(`${name(one)} does not fit its place`);
  }
  const brush = document.createElement("canvas").getContext("2d");
  for (const list of all("select")) {
    const style = getComputedStyle(list);
    brush.font = style.font;
    const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const wide = brush.measureText(list.selectedOptions[0]?.text ?? "").width;
    if (wide > room + 1) found.add(`the choice «${list.selectedOptions[0].text}» does not fit its list`);
  }
  for (const field of all("input:not([type=hidden], [readonly])")) {
    if (field.scrollWidth > field.clientWidth + 1) found.add(`what stands in ${name(field)}#${field.id} does not fit`);
  }

  // ---- the window

  const page = document.documentElement;
  if (page.scrollWidth > W) found.add(`the page is ${page.scrollWidth - W} wider than the window`);
  if (top !== document.body && top.scrollWidth > top.clientWidth + 1) found.add("the dialog scrolls sideways");
  if (fits && page.scrollHeight > H) found.add(`the page is ${page.scrollHeight - H} longer than the window`);
  const CARDS = ".hand .card:not(.gone), .laid > .card, .slots > *, .heart .card:not(.hole), .pile .card";
  const TARGETS = "button, a[href], summary, select, input:not(.vh, [type=hidden]), label:has(input.vh)";
  for (const one of all(`${CARDS}, ${TARGETS}, .seat, .status, h1, h2`)) {
    const box = one.getBoundingClientRect();
    const { seen, isScrolled } = through(box, one.parentElement);
    if (seen.left < -1 || seen.right > W + 1) found.add(`${name(one)} leaves the window at the side`);
    if (fits && !isScrolled && (box.top < -1 || box.bottom > H + 1)) found.add(`${name(one)} leaves the window`);
  }

  // ---- what must keep apart

  const apart = (first, second) => {
    for (const a of all(first)) {
      for (const b of all(second)) {
        if (a === b || a.contains(b) || b.contains(a) || isAloof(a) !== isAloof(b)) continue;
        const [x, y] = cross(a.getBoundingClientRect(), b.getBoundingClientRect());
        if (x > 1 && y > 1) found.add(`${name(a)} lies over ${name(b)}, ${x.toFixed()} by ${y.toFixed()}`);
      }
    }
  };
  const laid = ".laid > .card, .laid > .slot";
  apart("#play-stage .seat", `${laid}, .status, #play-stage .seat, .bar > *, .way, .kitty, .turnrow > *`);
  apart(laid, ".status, .own > *, .turnrow > *, .bar > *, .kitty, .hand .card");
  apart(".status", ".own > *, .turnrow > .seat, .turnrow > .btn, .hand .card, .kitty");
  apart(".own > *, .turnrow > *", ".hand .card");
  apart("#pass-stage > *", ".hand .card, .bar > *");
  apart("#pass-stage > *", "#pass-stage > *");
  apart(".heart", ".info, .tray, .dialog, .bar > *, .line");
  apart(".tray > *, .info, .wonbox, .dialog, .bar > *, .empty-heart, .line", ".tray > *, .info, .wonbox, .dialog, .bar > *, .empty-heart, .line");
  const hit = TARGETS.split(", ").filter((one) => one !== "button").join(", ");
  apart(`${hit}, .btn, .choice, .tool`, `${hit}, .btn, .choice, .tool`.replace(", label:has(input.vh)", ""));

  // ---- cards: their indices are seen, and enough to touch

  const at = (x, y) => (x > 0 && y > 0 && x < W && y < H ? document.elementFromPoint(x, y) : null);
  for (const card of all(".hand .card:not(.gone), .laid > .card, .slots .card, .heart .card.free, .pile .card:not(.empty)")) {
    const box = card.getBoundingClientRect();
    for (const [x, y] of [[0.2, 0.16], [0.2, 0.36], [0.3, 0.2]]) {
      const over = at(box.left + box.width * x, box.top + box.height * y);
      if (over && !card.contains(over) && !over.contains(card)) found.add(`the index of ${name(card)} is covered by ${name(over.closest(".card, [class]") ?? over)}`);
    }
  }
  const hand = all(".hand .card:not(.gone)");
  hand.slice(1).forEach((card, index) => {
    const [p, q] = [hand[index].getBoundingClientRect(), card.getBoundingClientRect()];
    const isCovered = Math.abs(p.top - q.top) < 30 && Math.abs(q.left - p.left) < 28;
    if (isCovered) found.add(`of ${name(hand[index])} less than 28 px are seen`);
  });
  for (const card of all(".heart .card.free")) {
    const { width, height } = card.getBoundingClientRect();
    if (Math.min(width, height) < 28) found.add(`${name(card)} is less than 28 px wide`);
  }

  // ---- what can be touched: large enough, and under nothing

  for (const one of all(TARGETS)) {
    if (one.matches(":disabled, [aria-hidden=true]") || one.closest("[inert], [aria-hidden=true]")) continue;
    const box = one.getBoundingClientRect();
    const isCard = one.closest(".hand, .heart");
    if (!isCard && (box.width < 43.5 || box.height < 43.5)) {
      found.add(`${name(one)} is too small to touch: ${box.width.toFixed()} by ${box.height.toFixed()}`);
    }
    if (isCard) continue;
    const { seen } = through(box, one.parentElement);
    const over = at((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2);
    const isCovered = over && seen.bottom - seen.top > 8 && !one.contains(over) && !over.contains(one);
    if (isCovered && isAloof(one) === isAloof(over)) found.add(`${name(one)} lies under ${name(over)}`);
  }
  return [...found];
}
