// A block among its neighbors: who feeds it from each direction, by which path, and how the grid turns on the way.

import { allDirections } from "../model/cut.js";
import { isTurned, sendsBack } from "../model/segments.js";
import { byDirection } from "./feeders.js";
import { button, picture, svg, text } from "./svg.js";
import { PATHS, blockWords, bytesWords, directionKind, directionWords, turnWords } from "./words.js";

const SIZE = 116;
const GAP = 40;
const ACROSS = 3 * SIZE + 2 * GAP;

// Two little arrows: how the first two axes of the source run, seen from here.
function orientation(spec, segment, x, y) {
    const marks = [];
    for (let s = 0; s < Math.min(2, spec.axes); ++s) {
        const axis = segment.axis[s];
        const along = [
            [1, 0],
            [0, -1],
        ][axis];
        if (!along) continue;
        const [dx, dy] = along.map((v) => v * segment.turn[s] * 19);
        marks.push(
            svg("line", {
                x1: x,
                y1: y,
                x2: x + dx,
                y2: y + dy,
                class: "orientation",
                "marker-end": "url(#head-light)",
            }),
            text(x + dx * 1.45, y + dy * 1.45 + 4, spec.axis[s], { class: "orientation-name" }),
        );
    }
    return svg("g", { class: "turn" }, ...marks);
}

// One neighbor, or one of several that share a side.
function neighbor(answer, peer, box, choose) {
    const { spec } = answer;
    const turned = isTurned(peer.segment);
    const words =
        `${blockWords(spec, peer.tile, peer.block)} of rank ${peer.rank}, ${bytesWords(peer.bytes)} by ${PATHS[peer.path]}` +
        (turned ? `, turned: ${turnWords(spec, peer.segment)}` : "");
    const { x, y, width, height } = box;
    const tall = height > 70;
    const made = svg(
        "g",
        { class: `neighbor ${peer.path}` },
        svg("title", {}, words),
        svg("rect", { x, y, width, height, rx: 6 }),
        text(x + 10, y + (tall ? 30 : 20), `rank ${peer.rank}`, { class: tall ? "big" : "" }),
        height > 34
            ? text(
                  x + 10,
                  y + (tall ? 50 : 36),
                  spec.tiles > 1 ? blockWords(spec, peer.tile, peer.block) : bytesWords(peer.bytes),
                  { class: "small" },
              )
            : null,
        tall && spec.tiles > 1 ? text(x + 10, y + 66, bytesWords(peer.bytes), { class: "small" }) : null,
        turned && tall ? orientation(spec, peer.segment, x + width - 40, y + height - 24) : null,
        turned && !tall ? text(x + width - 10, y + 20, "↻", { class: "end" }) : null,
    );
    return button(made, `${words}. Show it.`, () => choose(peer));
}

// From a neighbor to the block in the middle; an exchange that sends back points the other way.
function arrow(d, { column, row }, { path, width }, back) {
    if (d[0] === 0 && !d[1]) return null;
    const from = [
        column * (SIZE + GAP) + SIZE / 2 - d[0] * (SIZE / 2 + 2),
        row * (SIZE + GAP) + SIZE / 2 + (d[1] || 0) * (SIZE / 2 + 2),
    ];
    const to = [from[0] - d[0] * (GAP - 8), from[1] + (d[1] || 0) * (GAP - 8)];
    const [one, other] = back ? [to, from] : [from, to];
    return svg("line", {
        x1: one[0],
        y1: one[1],
        x2: other[0],
        y2: other[1],
        class: `arrow ${path}`,
        "stroke-width": width,
        "marker-end": `url(#head-${path})`,
    });
}

// A square without anybody, or with the block itself.
function square(kind, { x, y }, ...words) {
    return svg("g", { class: `neighbor ${kind}` }, svg("rect", { x, y, width: SIZE, height: SIZE, rx: 6 }), ...words);
}

function ownSquare(spec, state, place) {
    const { tile, block } = state.blocks[state.block];
    const middle = place.x + SIZE / 2;
    return square(
        "own",
        place,
        text(middle, place.y + 52, `rank ${state.rank}`, { class: "big middle" }),
        text(middle, place.y + 76, blockWords(spec, tile, block), { class: "small middle" }),
    );
}

function emptySquare(place, words) {
    const middle = place.x + SIZE / 2;
    return square("nobody", place, text(middle, place.y + SIZE / 2 + 4, words, { class: "small middle" }));
}

// Those that share a side share its square, too.
function feeders(answer, peers, { x, y }, choose) {
    const height = SIZE / peers.length;
    return peers.map((peer, i) =>
        neighbor(answer, peer, { x, y: y + i * height + 1, width: SIZE, height: height - 2 }, choose),
    );
}

// What is drawn in one direction.  all: { entries, most, back }, of every direction.
function inDirection(answer, state, direction, all, acts) {
    const { spec } = answer;
    const [column, row] = [1 + direction[0], spec.axes > 1 ? 1 - direction[1] : 0];
    const place = { x: column * (SIZE + GAP), y: row * (SIZE + GAP) };
    if (direction.every((n) => n === 0)) return [ownSquare(spec, state, place)];
    const entry = all.entries.find((e) => e.direction.every((n, a) => n === direction[a]));
    if (!entry) return [emptySquare(place, "not in the stencil")];
    if (entry.peers.length === 0) return [emptySquare(place, acts.nobody(direction))];
    const bytes = entry.peers.reduce((sum, p) => sum + p.bytes, 0);
    const look = { path: entry.peers[0].path, width: 2 + 5 * Math.sqrt(bytes / all.most) };
    return [
        ...feeders(answer, entry.peers, place, acts.choose),
        arrow(direction, { column, row }, look, all.back),
    ];
}

// Where a square of nine lies along the axes beyond the second.
function layerWords(spec, rest) {
    return rest.map((d, k) => `${["below", "same", "above"][d + 1]} along ${spec.axis[k + 2]}`).join(", ");
}

// All directions: one square of nine for each place along the axes beyond the second.
// acts: choose(peer), and nobody(direction), which says why there is none.
export function neighborsPicture(answer, state, acts) {
    const { spec } = answer;
    const entries = byDirection(answer, state);
    const most = Math.max(1, ...entries.flatMap((e) => e.peers.map((p) => p.bytes)));
    const all = { entries, most, back: sendsBack(spec.exchange[state.exchange]) };
    const deeper = allDirections(Math.max(0, spec.axes - 2));
    const columns = Math.min(3, deeper.length);
    const tall = (spec.axes > 1 ? ACROSS : SIZE) + 70;
    const layers = deeper.map((rest, i) => {
        const [x, y] = [(i % columns) * (ACROSS + 56) + 4, Math.floor(i / columns) * tall + 34];
        const words = layerWords(spec, rest);
        const drawn = allDirections(Math.min(2, spec.axes)).flatMap((plane) =>
            inDirection(answer, state, [...plane, ...rest], all, acts),
        );
        return svg(
            "g",
            {},
            words ? text(x, y - 12, words, { class: "layer" }) : null,
            svg("g", { transform: `translate(${x},${y})` }, ...drawn),
        );
    });
    return picture(
        "neighbors-picture",
        columns * (ACROSS + 56) - 48,
        Math.ceil(deeper.length / 3) * tall,
        "Who feeds the block, by direction",
        ...layers,
    );
}

// The same as rows of a table.
export function neighborRows(answer, state) {
    const { spec } = answer;
    return byDirection(answer, state).flatMap(({ direction, peers }) =>
        peers.map((peer) => [
            `${directionKind(direction)} ${directionWords(spec, direction)}`,
            `${peer.rank}`,
            blockWords(spec, peer.tile, peer.block),
            PATHS[peer.path],
            bytesWords(peer.bytes),
            turnWords(spec, peer.segment) || "–",
        ]),
    );
}
