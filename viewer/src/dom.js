// Small helpers to make elements of the page.

/** element("button", {class: "x", onclick}, "text", child, ...) */
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
        else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
}

export const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Call back now and whenever the browser changes between light and dark. */
export function onTheme(callback) {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", callback);
    callback();
}

/** A labelled choice; `choices` are [value, text]. */
export function choice(label, choices, onchange, value) {
    const select = element("select", { "aria-label": label, onchange: () => onchange(select.value) });
    for (const [key, text] of choices)
        select.append(element("option", { value: key, selected: key === value }, text));
    return element("label", { class: "field" }, element("span", {}, label), select);
}

export function checkbox(label, checked, onchange) {
    const box = element("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) });
    return element("label", { class: "check" }, box, label);
}
