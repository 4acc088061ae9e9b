// A picture as a file of its own, for talks and papers.

import { byId, html, svg } from "../view/svg.js";

// The style of the page with its colors written out, as not every program knows variables.
function plainStyle() {
    const style = document.querySelector("style").textContent;
    const colors = new Map([...style.matchAll(/--(\w+): (#\w+);/g)].map(([, name, color]) => [name, color]));
    return style.replace(/var\(--(\w+)\)/g, (_, name) => colors.get(name));
}

// The text of the file: the picture with its colors and patterns.
export function pictureText(id) {
    const copy = byId(id).cloneNode(true);
    copy.prepend(svg("style", {}, plainStyle()), byId("patterns").querySelector("defs").cloneNode(true));
    return new XMLSerializer().serializeToString(copy);
}

export function savePicture(name, id) {
    const href = URL.createObjectURL(new Blob([pictureText(id)], { type: "image/svg+xml" }));
    html("a", { download: `${name}-${id}.svg`, href }).click();
    URL.revokeObjectURL(href);
}
