// A cell of the picture of a block: what lies at a point, as a colored square with a sign and words.

import { svg, text } from "./svg.js";
import { FILLS, FILL_SIGNS, PATHS, blockWords, directionKind, directionWords, pointWords } from "./words.js";

function ghostLook({ answer, state }, { segment, message }, direction) {
    const { spec } = answer;
    const path = answer.path(state.exchange, state.rank, message.kind === "within" ? state.rank : message.peer);
    const inside = direction.every((d) => d === 0);
    const kind = inside ? "shared or rewritten point" : `ghost point, ${placeWords(spec, direction)}`;
    const owner = blockWords(spec, segment.sourceTile, segment.sourceBlock);
    const peer = segment.toRank === state.rank ? segment.fromRank : segment.toRank;
    return {
        class: `ghost ${path}`,
        sign: String(peer),
        words: `${kind}, of rank ${peer}, ${owner}, by ${PATHS[path]}`,
    };
}

function ownedLook({ state }, { uses }) {
    const peers = new Set(uses.map((use) => (use.message.kind === "within" ? state.rank : use.message.peer)));
    if (peers.size === 0) return { class: "interior", sign: "", words: "owned point that nobody else needs" };
    return { class: "rim", sign: "", words: `owned point at the rim, for rank ${[...peers].join(", ")}` };
}

function wallLook({ answer }, { axis, side, fill }) {
    const wall = `${side ? "+" : "−"}${answer.spec.axis[axis]}`;
    return {
        class: `wall ${fill === "none" ? "empty" : "filled"}`,
        sign: FILL_SIGNS[fill],
        words: `ghost point behind the wall ${wall}, filled with ${FILLS[fill]}`,
    };
}

const placeWords = (spec, direction) => `${directionKind(direction)} ${directionWords(spec, direction)}`;

// Class, sign and words of what lies at a point.  found: as Answer.at has it.
function look(shown, found, point, owned) {
    const direction = point.map((p, a) => (p < 0 ? -1 : p >= owned.hi[a] ? 1 : 0));
    if (found.kind === "ghost") return ghostLook(shown, found, direction);
    if (found.kind === "owned") return ownedLook(shown, found);
    if (found.kind === "wall") return wallLook(shown, found);
    if (found.kind === "corner" && found.fills.length > 0)
        return { class: "corner", sign: "", words: "ghost point at a corner where no tile lies, filled when asked" };
    const why =
        found.kind === "corner"
            ? "at a corner of tiles where no tile lies"
            : `that this exchange leaves alone, ${placeWords(shown.answer.spec, direction)}`;
    return { class: "none", sign: "", words: `ghost point ${why}` };
}

let lastPlace = "";

// Browsers tell of a pointer, too, where the picture moved below it.
function hasMoved(event) {
    const at = `${event.screenX},${event.screenY}`;
    const moved = at !== lastPlace;
    lastPlace = at;
    return moved;
}

// place: { x, y, size }; owned: the box of owned points.  pointAt(point, take): what pointing and clicking do.
export function cell(shown, point, owned, { x, y, size }, pointAt) {
    const { state, answer } = shown;
    const found = answer.at(state.exchange, state.field, state.blocks[state.block], point);
    const { class: kind, sign, words } = look(shown, found, point, owned);
    const label = `${pointWords(point)}: ${words}`;
    const made = svg(
        "g",
        {
            id: `cell ${point.join(" ")}`.replace(/ /g, "_"),
            role: "gridcell",
            class: `cell ${kind}`,
            "aria-label": label,
            tabindex: -1,
            "data-point": point.join(","),
        },
        svg("title", {}, label),
        svg("rect", { x: x + 0.5, y: y + 0.5, width: size - 1, height: size - 1, rx: 1.5 }),
        size >= 15 && sign
            ? text(x + size / 2, y + size / 2 + size * 0.16, sign, {
                  class: "sign",
                  "font-size": size * (sign.length > 2 ? 0.36 : 0.45),
              })
            : null,
    );
    made.addEventListener("click", () => pointAt(point, true));
    made.addEventListener("pointermove", (event) => {
        if (hasMoved(event)) pointAt(point, false);
    });
    return made;
}

// Moves the mark to a point; the cells stay as they are.
export function markCell(made, point) {
    for (const old of made.querySelectorAll("[aria-selected]")) {
        old.setAttribute("tabindex", "-1");
        old.removeAttribute("aria-selected");
    }
    const mark = made.querySelector(".mark");
    const fresh = made.querySelector(`[data-point="${point.join(",")}"]`);
    mark.setAttribute("visibility", fresh ? "visible" : "hidden");
    if (!fresh) return null;
    for (const side of ["x", "y", "width", "height"])
        mark.setAttribute(side, fresh.querySelector("rect").getAttribute(side));
    fresh.setAttribute("tabindex", "0");
    fresh.setAttribute("aria-selected", "true");
    return fresh;
}
