// The page's sentences. The server puts those a page needs into <script type="application/json" id="messages">:
// key -> sentence, or key -> plural forms: [one, other] in English, [other] in Turkish.

/** @type {Record<string, string | string[]>} */
const messages = JSON.parse(document.getElementById("messages")?.textContent || "{}");

/** The language of the page: "tr" or "en". */
export const lang = document.documentElement.lang;

/**
 * Return which of a message's forms goes with a number; the same rule as kupa.catalogue.plural_form.
 * @param {number} number
 */
function pluralForm(number) {
  return lang === "tr" || number === 1 ? 0 : 1;
}

/**
 * Return a sentence with its parameters filled in. A message with plural forms chooses by the parameter `n`.
 * @param {string} key
 * @param {Record<string, string | number>} [params]
 * @returns {string}
 * @throws {Error} when the page has no such message, or a parameter that it names is not given.
 */
export function t(key, params = {}) {
  const found = messages[key];
  if (found === undefined) throw new Error(`the page has no message ${key}`);
  const sentence = Array.isArray(found) ? found[pluralForm(Number(params.n))] : found;
  return sentence.replace(/\{(\w+)\}/g, (_, name) => {
    if (!(name in params)) throw new Error(`${key} needs ${name}`);
    return String(params[name]);
  });
}

/** Tell whether the page has a message. @param {string} key */
export function hasMessage(key) {
  return key in messages;
}

/**
 * Write a number as the page's language does: 5,2 in Turkish, 5.2 in English.
 * @param {number} value
 * @param {Intl.NumberFormatOptions} [options]
 */
export function number(value, options) {
  return new Intl.NumberFormat(lang, options).format(value);
}
