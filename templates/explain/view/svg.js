// Elements of SVG and HTML, made in one line each.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value !== null && value !== undefined && value !== false)
            element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

export function svg(name, attributes = {}, ...children) {
    return fill(document.createElementNS(SVG, name), attributes, children);
}

export function html(name, attributes = {}, ...children) {
    return fill(document.createElement(name), attributes, children);
}

export function byId(id) {
    return document.getElementById(id);
}

// A picture with a title that screen readers say.
export function picture(id, width, height, label, ...children) {
    const title = svg("title", { id: `${id}-title` }, label);
    return svg(
        "svg",
        {
            id,
            viewBox: `0 0 ${width} ${height}`,
            width,
            height,
            role: "group",
            "aria-labelledby": `${id}-title`,
        },
        title,
        ...children,
    );
}

export function text(x, y, words, attributes = {}) {
    return svg("text", { x, y, ...attributes }, words);
}

// Puts a picture into its place, and keeps the focus where it was.
export function show(place, ...content) {
    const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
    place.replaceChildren(...content);
    if (focused && byId(focused)) byId(focused).focus({ preventScroll: true });
}

// Something that a click, Enter or Space sets off.
export function button(element, label, act) {
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-label", label);
    element.classList.add("button");
    element.addEventListener("click", act);
    element.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            act(event);
        }
    });
    return element;
}

// A table with a caption; rows are lists of cells, and their first cell names the row.  chosen: number of a row.
export function table(caption, heads, rows, chosen = -1, choose = null) {
    const head = html("tr", {}, ...heads.map((h) => html("th", { scope: "col" }, h)));
    const body = rows.map((cells, r) => {
        const row = html(
            "tr",
            { class: r === chosen ? "chosen" : null },
            ...cells.map((cell, c) => {
                const name = c === 0 ? "th" : "td";
                return html(
                    name,
                    c === 0 ? { scope: "row" } : {},
                    c === 0 && choose ? chooser(String(cell), () => choose(r)) : cell,
                );
            }),
        );
        return row;
    });
    return html("table", {}, html("caption", {}, caption), html("thead", {}, head), html("tbody", {}, ...body));
}

function chooser(label, act) {
    const made = html("button", { type: "button", class: "link" }, label);
    made.addEventListener("click", act);
    return made;
}
