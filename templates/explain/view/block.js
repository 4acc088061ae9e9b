// A block in its halo, cell by cell: owned points, the rim that others read, ghost points by path, walls by fill.

import { fieldBox } from "../model/answer.js";
import { layoutCells } from "../model/layout.js";
import { cell, markCell } from "./cell.js";
import { picture, svg, text } from "./svg.js";
import { blockWords } from "./words.js";

const WIDE = 660;
const LEFT = 56;
const TOP = 40;
const MOST_CELLS = 34; // along an axis; longer ones have a gap in the middle, where that leaves something out

// The plane that is drawn: two axes, and the point that says where it cuts the others.
export function planeOf(answer, state) {
    const axes = answer.spec.axes;
    const across = state.plane[0];
    const up = axes > 1 ? state.plane[1] : -1;
    return { across, up };
}

function boxesOf(answer, state) {
    const { tile, block } = state.blocks[state.block];
    return fieldBox(answer.spec, state.field, layoutCells(answer.layout, tile, block).cells);
}

// The indices of an axis that are drawn; null stands for those that are left out.
function visible(answer, state, axis) {
    const boxes = boxesOf(answer, state);
    const lo = boxes.all.lo[axis];
    const hi = boxes.all.hi[axis];
    const item = answer.spec.exchange[state.exchange].field.find((f) => f.field === state.field);
    const keep = 3 + Math.max(item.width_lo[axis], item.width_hi[axis], 1);
    const end = boxes.owned.hi[axis];
    const range = (from, to) => [...Array(Math.max(0, to - from)).keys()].map((i) => from + i);
    if (hi - lo <= MOST_CELLS || end <= 2 * keep) return range(lo, hi);
    return [...range(lo, keep), null, ...range(end - keep, hi)];
}

// The picture as a sheet of squares: which index each column and row has, and where it lies.
function sheetOf(answer, state) {
    const { across, up } = planeOf(answer, state);
    const xs = visible(answer, state, across);
    const ys = up < 0 ? [0] : visible(answer, state, up).reverse();
    const fits = Math.floor((WIDE - LEFT - 20) / Math.max(xs.length, 12));
    const size = Math.max(13, Math.min(34, fits, Math.floor(560 / Math.max(ys.length, 8))));
    const { owned } = boxesOf(answer, state);
    return { across, up, xs, ys, size, owned, x: (c) => LEFT + c * size, y: (r) => TOP + r * size };
}

function gapSign(x, y, size, sign) {
    return text(x, y + size * 0.7, sign, { class: "gap" });
}

// What is drawn in row r and column c.
function square(shown, sheet, r, c, pointAt) {
    const { xs, ys, size, across, up } = sheet;
    if (xs[c] === null)
        return r === Math.floor(ys.length / 2) ? gapSign(sheet.x(c) + size / 2, sheet.y(r), size, "⋯") : null;
    const point = shown.state.point.slice();
    point[across] = xs[c];
    if (up >= 0) point[up] = ys[r];
    return cell(shown, point, sheet.owned, { x: sheet.x(c), y: sheet.y(r), size }, pointAt);
}

function row(shown, sheet, r, pointAt) {
    const { xs, ys, size } = sheet;
    if (ys[r] === null) return gapSign(sheet.x(xs.length / 2), sheet.y(r), size, "⋮");
    return svg("g", { role: "row" }, ...xs.map((_, c) => square(shown, sheet, r, c, pointAt)));
}

// About the owned points.
function outline({ across, up, xs, ys, size, owned, x, y }) {
    const x0 = x(xs.indexOf(owned.lo[across]));
    const x1 = x(xs.indexOf(owned.hi[across] - 1)) + size;
    const y0 = up < 0 ? TOP : y(ys.indexOf(owned.hi[up] - 1));
    const y1 = up < 0 ? TOP + size : y(ys.indexOf(owned.lo[up])) + size;
    return svg("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, class: "outline" });
}

// draw(i, words): the number of a column, or of a row.
function ticks(list, size, draw) {
    const every = size < 20 ? 2 : 1;
    return list.map((index, i) => {
        if (index === null || (index % every !== 0 && index !== -1)) return null;
        return draw(i, String(index).replace("-", "−"));
    });
}

// Numbers along the axes, and their names.
function axes(spec, { across, up, xs, ys, size, x, y }) {
    const below = y(ys.length) + 14;
    const numbers = ticks(xs, size, (c, words) => text(x(c) + size / 2, below, words, { class: "tick" }));
    const end = { class: "axis", "text-anchor": "end", dy: 16 };
    const name = text(x(xs.length) + 4, below, `${spec.axis[across]} →`, end);
    if (up < 0) return [...numbers, name];
    return [
        ...numbers,
        ...ticks(ys, size, (r, words) => text(LEFT - 8, y(r) + size / 2 + 4, words, { class: "tick end" })),
        name,
        text(LEFT - 40, TOP - 14, `↑ ${spec.axis[up]}`, { class: "axis" }),
    ];
}

// pointAt(point, take): what pointing at a cell does, and choosing it.
export function blockPicture(answer, state, pointAt) {
    const { spec } = answer;
    const { tile, block } = state.blocks[state.block];
    const sheet = sheetOf(answer, state);
    const { xs, ys, x, y } = sheet;
    const made = picture(
        "block-picture",
        x(xs.length) + 24,
        y(ys.length) + 36,
        `${blockWords(spec, tile, block)} of rank ${state.rank} in its halo`,
        ...ys.map((_, r) => row({ answer, state }, sheet, r, pointAt)),
        outline(sheet),
        svg("rect", { class: "mark" }),
        ...axes(spec, sheet),
    );
    made.setAttribute("role", "grid");
    markCell(made, state.point);
    return made;
}

// Where an arrow key leads from a point; null: elsewhere than in the picture.
export function step(answer, state, key) {
    const { across, up } = planeOf(answer, state);
    const moves = { ArrowLeft: [across, -1], ArrowRight: [across, 1], ArrowUp: [up, 1], ArrowDown: [up, -1] };
    const point = state.point.slice();
    if (key === "Home" || key === "End") {
        const { all } = boxesOf(answer, state);
        point[across] = key === "Home" ? all.lo[across] : all.hi[across] - 1;
        return point;
    }
    if (!moves[key] || moves[key][0] < 0) return null;
    const [axis, by] = moves[key];
    const shown = visible(answer, state, axis).filter((i) => i !== null);
    const next = shown.indexOf(point[axis]) + by;
    if (next < 0 || next >= shown.length) return null;
    point[axis] = shown[next];
    return point;
}
