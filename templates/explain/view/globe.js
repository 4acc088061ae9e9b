// The cubed sphere as a globe that can be turned.

import { layoutCells, layoutIndex } from "../model/layout.js";
import { foldUp, onGlobe } from "../model/net.js";
import { blockLabel, pathsOfBlocks } from "./map.js";
import { picture, svg, text } from "./svg.js";

const RADIUS = 190;
const CENTER = 210;

// A place on the globe as one sees it: right, up, towards the reader.
function seen([x, y, z], { east, north }) {
    const [sa, ca, sb, cb] = [Math.sin(east), Math.cos(east), Math.sin(north), Math.cos(north)];
    const [right, front] = [ca * x - sa * z, sa * x + ca * z];
    return [right, cb * y - sb * front, sb * y + cb * front];
}

const onSheet = ([right, up]) => `${(CENTER + RADIUS * right).toFixed(1)},${(CENTER - RADIUS * up).toFixed(1)}`;

// The outline of a block as a row of places: so many on each side.
function outline([u0, u1], [v0, v1], steps) {
    const parts = [...Array(steps).keys()].map((i) => i / steps);
    return [
        ...parts.map((t) => [u0 + (u1 - u0) * t, v0]),
        ...parts.map((t) => [u1, v0 + (v1 - v0) * t]),
        ...parts.map((t) => [u1 - (u1 - u0) * t, v1]),
        ...parts.map((t) => [u0, v1 - (v1 - v0) * t]),
    ];
}

export function isGlobe(spec) {
    return foldUp(spec) !== null;
}

// How the globe is turned so that a block faces the reader, seen a little from its upper right.
export function turnTo(answer, { tile, block }) {
    const { axes, faces } = foldUp(answer.spec);
    const { first, cells } = layoutCells(answer.layout, tile, block);
    const whole = answer.layout.tiles[tile].cells;
    const [u, v] = axes.map((a) => (2 * first[a] + cells[a]) / whole[a] - 1);
    const [x, y, z] = onGlobe(faces.get(tile), axes, u, v);
    return { east: Math.atan2(x, z) - 0.35, north: Math.atan2(y, Math.hypot(x, z)) + 0.25 };
}

// Where a block lies on its tile: from -1 to 1 along both axes of the face.
function rangesOf(layout, tile, block, axes) {
    const whole = layout.tiles[tile].cells;
    const { first, cells } = layoutCells(layout, tile, block);
    return axes.map((a) => [(2 * first[a]) / whole[a] - 1, (2 * (first[a] + cells[a])) / whole[a] - 1]);
}

// Its rank, in the middle of a block; null: that faces away.
function rankSign(globe, tile, [u, v], rank, kind) {
    const { axes, faces, turn } = globe;
    const middle = seen(onGlobe(faces.get(tile), axes, (u[0] + u[1]) / 2, (v[0] + v[1]) / 2), turn);
    if (middle[2] <= 0.25) return null;
    const [x, y] = onSheet(middle).split(",");
    return text(x, Number(y) + 5, String(rank), { class: `sign map-sign ${kind || "other"}`, "font-size": 15 });
}

// A block and its sign: { made, sign, kind }; null: it faces away.
function blockOn(globe, tile, block, choose) {
    const { answer, state, axes, faces, turn, kinds } = globe;
    const [u, v] = rangesOf(answer.layout, tile, block, axes);
    const kind = kinds.get(`${tile},${block}`);
    const pieces = patches(faces.get(tile), axes, u, v, turn);
    if (pieces.length === 0) return null;
    const rank = answer.layout.owners[answer.layout.tiles[tile].first + block];
    const made = svg(
        "g",
        { class: `map-block ${kind || "other"}` },
        svg("title", {}, blockLabel(answer, state, tile, block, kind)),
        ...pieces.map((points) => svg("polygon", { points, class: "patch" })),
        svg("path", { d: edge(faces.get(tile), axes, u, v, turn), class: "edge" }),
    );
    made.addEventListener("click", () => choose(rank, tile, block));
    return { made, sign: rankSign(globe, tile, [u, v], rank, kind), kind };
}

// All blocks of the outermost layer.
function blocksOn(globe, choose) {
    const { answer, axes } = globe;
    return answer.layout.tiles.flatMap((tile, t) =>
        [...Array(tile.blocks).keys()]
            .filter((b) => layoutIndex(answer.layout, t, b).every((i, a) => axes.includes(a) || i === 0))
            .map((b) => blockOn(globe, t, b, choose)),
    );
}

// turn: { east, north } in radians.
export function globePicture(answer, state, turn, choose) {
    const globe = { answer, state, turn, ...foldUp(answer.spec), kinds: pathsOfBlocks(answer, state) };
    const blocks = blocksOn(globe, choose).filter((b) => b !== null);
    const isOwn = (b) => b.kind === "own"; // drawn over the others
    const order = [...blocks.filter((b) => !isOwn(b)).reverse(), ...blocks.filter(isOwn)];
    return picture(
        "globe-picture",
        2 * CENTER,
        2 * CENTER,
        "The cubed sphere as a globe. Arrow keys turn it.",
        svg("circle", { cx: CENTER, cy: CENTER, r: RADIUS, class: "globe" }),
        ...order.map((b) => b.made),
        ...blocks.map((b) => b.sign),
    );
}

// The parts of a block that face the reader, as small squares.
function patches(face, axes, u, v, turn) {
    const steps = Math.max(2, Math.ceil(6 * (u[1] - u[0])));
    const found = [];
    const at = (i, k) =>
        seen(onGlobe(face, axes, u[0] + ((u[1] - u[0]) * i) / steps, v[0] + ((v[1] - v[0]) * k) / steps), turn);
    for (let i = 0; i < steps; ++i) {
        for (let k = 0; k < steps; ++k) {
            const corners = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            if (corners.reduce((sum, c) => sum + c[2], 0) > 0) found.push(corners.map(onSheet).join(" "));
        }
    }
    return found;
}

function edge(face, axes, u, v, turn) {
    const places = outline(u, v, 10).map(([a, b]) => seen(onGlobe(face, axes, a, b), turn));
    return places
        .map((p, i) => {
            const next = places[(i + 1) % places.length];
            return p[2] > -0.02 && next[2] > -0.02 ? `M${onSheet(p)}L${onSheet(next)}` : "";
        })
        .join("");
}
