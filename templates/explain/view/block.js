// A block in its halo, cell by cell: owned points, the rim that others read, ghost points by path, walls by fill.

import { fieldBox } from "../model/answer.js";
import { layoutCells } from "../model/layout.js";
import { picture, svg, text } from "./svg.js";
import { FILLS, FILL_SIGNS, PATHS, blockWords, directionKind, directionWords, pointWords } from "./words.js";

const WIDE = 660;
const LEFT = 56;
const TOP = 40;
const MOST_CELLS = 34; // along an axis; longer ones have a gap in the middle, where that leaves something out

// The indices of an axis that are drawn; null stands for those that are left out.
function visible(all, owned, axis, keep) {
    const lo = all.lo[axis];
    const hi = all.hi[axis];
    const range = (from, to) => [...Array(Math.max(0, to - from)).keys()].map((i) => from + i);
    if (hi - lo <= MOST_CELLS || owned.hi[axis] <= 2 * keep) return range(lo, hi);
    return [...range(lo, keep), null, ...range(owned.hi[axis] - keep, hi)];
}

// Class, sign and words of what lies at a point.
function look(answer, state, found, point, owned) {
    const { spec } = answer;
    const direction = point.map((p, a) => (p < 0 ? -1 : p >= owned.hi[a] ? 1 : 0));
    const where = `${directionKind(direction)} ${directionWords(spec, direction)}`;
    if (found.kind === "ghost") {
        const { segment, message } = found;
        const path = answer.path(state.exchange, state.rank, message.kind === "within" ? state.rank : message.peer);
        const inside = direction.every((d) => d === 0) ? "shared or rewritten point" : `ghost point, ${where}`;
        const owner = blockWords(spec, segment.sourceTile, segment.sourceBlock);
        const peer = segment.toRank === state.rank ? segment.fromRank : segment.toRank;
        return {
            class: `ghost ${path}`,
            sign: String(peer),
            words: `${inside}, of rank ${peer}, ${owner}, by ${PATHS[path]}`,
        };
    }
    if (found.kind === "owned") {
        const peers = [
            ...new Set(found.uses.map((use) => (use.message.kind === "within" ? state.rank : use.message.peer))),
        ];
        if (peers.length === 0) return { class: "interior", sign: "", words: "owned point that nobody else needs" };
        return { class: "rim", sign: "", words: `owned point at the rim, for rank ${peers.join(", ")}` };
    }
    if (found.kind === "wall") {
        return {
            class: `wall ${found.fill === "none" ? "empty" : "filled"}`,
            sign: FILL_SIGNS[found.fill],
            words: `ghost point behind the wall ${found.side ? "+" : "−"}${spec.axis[found.axis]}, filled with ${FILLS[found.fill]}`,
        };
    }
    if (found.kind === "corner")
        return { class: "none", sign: "", words: `ghost point at a corner of tiles where no tile lies` };
    return { class: "none", sign: "", words: `ghost point that this exchange leaves alone, ${where}` };
}

// The plane that is drawn: two axes, and the point that says where it cuts the others.
export function planeOf(answer, state) {
    const axes = answer.spec.axes;
    const across = state.plane[0];
    const up = axes > 1 ? state.plane[1] : -1;
    return { across, up };
}

function place(list, size, gap) {
    let at = 0;
    return list.map((index) => {
        const here = at;
        at += index === null ? gap : size;
        return here;
    });
}

// The picture.  point: what is pointed at; point(p): what to do when another cell is.
export function blockPicture(answer, state, pointAt) {
    const { spec } = answer;
    const { tile, block } = state.blocks[state.block];
    const { cells } = layoutCells(answer.layout, tile, block);
    const { owned, all } = fieldBox(spec, state.field, cells);
    const { across, up } = planeOf(answer, state);
    const item = spec.exchange[state.exchange].field.find((f) => f.field === state.field);
    const keep = (axis) => 3 + Math.max(item.width_lo[axis], item.width_hi[axis], 1);
    const xs = visible(all, owned, across, keep(across));
    const ys = up < 0 ? [0] : visible(all, owned, up, keep(up)).reverse();
    const size = Math.max(
        13,
        Math.min(
            34,
            Math.floor((WIDE - LEFT - 20) / Math.max(xs.length, 12)),
            Math.floor(560 / Math.max(ys.length, 8)),
        ),
    );
    const left = place(xs, size, size);
    const top = place(ys, size, size);
    const width = LEFT + xs.length * size + 24;
    const height = TOP + ys.length * size + 36;
    const rows = ys.map((y, r) => {
        if (y === null) return text(LEFT + (xs.length * size) / 2, TOP + top[r] + size * 0.7, "⋮", { class: "gap" });
        return svg(
            "g",
            { role: "row" },
            ...xs.map((x, c) => {
                if (x === null)
                    return r === Math.floor(ys.length / 2)
                        ? text(LEFT + left[c] + size / 2, TOP + top[r] + size * 0.7, "⋯", { class: "gap" })
                        : null;
                const point = state.point.slice();
                point[across] = x;
                if (up >= 0) point[up] = y;
                const found = answer.at(state.exchange, state.field, { tile, block }, point);
                return cell(
                    look(answer, state, found, point, owned),
                    point,
                    { x: LEFT + left[c], y: TOP + top[r], size },
                    pointAt,
                );
            }),
        );
    });
    const x0 = LEFT + left[xs.indexOf(owned.lo[across])];
    const x1 = LEFT + left[xs.indexOf(owned.hi[across] - 1)] + size;
    const y0 = up < 0 ? TOP : TOP + top[ys.indexOf(owned.hi[up] - 1)];
    const y1 = up < 0 ? TOP + size : TOP + top[ys.indexOf(owned.lo[up])] + size;
    const made = picture(
        "block-picture",
        width,
        height,
        `${blockWords(spec, tile, block)} of rank ${state.rank} in its halo`,
        ...rows,
        svg("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, class: "outline" }),
        svg("rect", { class: "mark" }),
        ...ticks(xs, left, size, TOP + ys.length * size + 14, true),
        ...(up < 0 ? [] : ticks(ys, top, size, LEFT - 8, false)),
        text(width - 20, TOP + ys.length * size + 14, `${spec.axis[across]} →`, {
            class: "axis",
            "text-anchor": "end",
            dy: 16,
        }),
        up < 0 ? null : text(LEFT - 40, TOP - 14, `↑ ${spec.axis[up]}`, { class: "axis" }),
    );
    made.setAttribute("role", "grid");
    markCell(made, state.point);
    return made;
}

function ticks(list, places, size, at, along) {
    const every = size < 20 ? 2 : 1;
    return list.map((index, i) => {
        if (index === null || (index % every !== 0 && index !== -1)) return null;
        const middle = places[i] + size / 2;
        const words = String(index).replace("-", "−");
        return along
            ? text(LEFT + middle, at, words, { class: "tick" })
            : text(at, TOP + middle + 4, words, { class: "tick end" });
    });
}

let lastPlace = "";

// Browsers tell of a pointer, too, where the picture moved below it.
function hasMoved(event) {
    const at = `${event.screenX},${event.screenY}`;
    const moved = at !== lastPlace;
    lastPlace = at;
    return moved;
}

function cell({ class: kind, sign, words }, point, { x, y, size }, pointAt) {
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

// Where an arrow key leads from a point; null: elsewhere than in the picture.
export function step(answer, state, key) {
    const { tile, block } = state.blocks[state.block];
    const { all, owned } = fieldBox(answer.spec, state.field, layoutCells(answer.layout, tile, block).cells);
    const { across, up } = planeOf(answer, state);
    const moves = { ArrowLeft: [across, -1], ArrowRight: [across, 1], ArrowUp: [up, 1], ArrowDown: [up, -1] };
    const point = state.point.slice();
    if (key === "Home" || key === "End") {
        point[across] = key === "Home" ? all.lo[across] : all.hi[across] - 1;
        return point;
    }
    if (!moves[key] || moves[key][0] < 0) return null;
    const [axis, by] = moves[key];
    const item = answer.spec.exchange[state.exchange].field.find((f) => f.field === state.field);
    const shown = visible(all, owned, axis, 3 + Math.max(item.width_lo[axis], item.width_hi[axis], 1)).filter(
        (i) => i !== null,
    );
    const next = shown.indexOf(point[axis]) + by;
    if (next < 0 || next >= shown.length) return null;
    point[axis] = shown[next];
    return point;
}
