// The list of the contacts of the current step.
import { element } from "./dom.js";
import { KINDS } from "./data.js";
import { count, describeSides, describeWhen, number } from "./words.js";

const ROWS = 150;

export class ContactList {
    constructor(report, bodyName, onselect) {
        this.report = report;
        this.bodyName = bodyName;
        this.onselect = onselect;
        this.title = element("p", { class: "list-title", role: "status" });
        this.rows = element("ol", { class: "contacts" });
    }

    /** Show the contacts with the indices `chosen`; `found` is how many the program counted. */
    show(contacts, chosen, step, found, selected) {
        Object.assign(this, { contacts, chosen, step });
        this.begin = 0;
        const some =
            chosen.length < found
                ? `${number(chosen.length)} of ${count(found, "contact")}`
                : count(found, "contact");
        this.title.textContent = `${some} in step ${step}`;
        this.select(selected);
    }

    /** Mark a contact, and make sure that its row exists. */
    select(selected) {
        this.selected = selected;
        const place = selected === null ? -1 : this.chosen.indexOf(selected);
        if (place >= 0) this.begin = ROWS * Math.floor(place / ROWS);
        this.render();
        const row = this.rows.querySelector("[aria-current]");
        if (row) this.rows.scrollTop = row.offsetTop - this.rows.offsetTop - this.rows.clientHeight / 3;
    }

    render() {
        const end = Math.min(this.chosen.length, this.begin + ROWS);
        const rows = [];
        const page = (text, begin) =>
            element(
                "li",
                { class: "more" },
                element(
                    "button",
                    {
                        type: "button",
                        onclick: () => {
                            this.begin = begin;
                            this.render();
                            this.rows.scrollTop = 0;
                        },
                    },
                    text,
                ),
            );
        if (this.begin > 0) rows.push(page(`the ${ROWS} before`, this.begin - ROWS));
        for (let i = this.begin; i < end; i++) rows.push(this.makeRow(this.chosen[i]));
        if (end < this.chosen.length) rows.push(page(`${number(this.chosen.length - end)} more`, end));
        this.rows.replaceChildren(...rows);
    }

    makeRow(i) {
        const { contacts, step } = this;
        const [a, b] = describeSides(contacts, i, this.bodyName);
        const kind = KINDS[contacts.kind[i]];
        return element(
            "li",
            {},
            element(
                "button",
                {
                    type: "button",
                    "data-contact": i,
                    "aria-current": i === this.selected ? "true" : null,
                    onclick: () => this.onselect(i),
                },
                element("span", { class: `kind ${kind}` }, kind),
                element("span", { class: "sides" }, a, element("br"), b),
                element("span", { class: "when" }, describeWhen(this.report, contacts, i, step)),
            ),
        );
    }
}
