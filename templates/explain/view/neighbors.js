// A block among its neighbors: who feeds it from each direction, by which path, and how the grid turns on the way.

import { allDirections } from "../model/cut.js";
import { isTurned, sendsBack } from "../model/segments.js";
import { button, picture, svg, text } from "./svg.js";
import { PATHS, blockWords, bytesWords, directionKind, directionWords, turnWords } from "./words.js";

const SIZE = 116;
const GAP = 40;
const ACROSS = 3 * SIZE + 2 * GAP;

// What comes from each direction: { direction, peers: [{ rank, tile, block, path, bytes, segment }] }, for one block.
export function byDirection(answer, state) {
    const { tile, block } = state.blocks[state.block];
    const exchange = answer.spec.exchange[state.exchange];
    const feeding = answer
        .messages(state.exchange, state.rank)
        .flatMap((message) =>
            message.segments
                .filter((s) => s.tile === tile && s.block === block)
                .map((segment) => ({ message, segment })),
        );
    return exchange.direction.map((direction) => {
        const peers = new Map();
        for (const { message, segment } of feeding) {
            if (!segment.direction.every((d, a) => d === direction[a])) continue;
            const key = `${segment.sourceTile},${segment.sourceBlock}`;
            const known = peers.get(key);
            if (known) {
                known.bytes += segment.bytes;
                continue;
            }
            peers.set(key, {
                rank: segment.fromRank,
                tile: segment.sourceTile,
                block: segment.sourceBlock,
                path: answer.path(state.exchange, state.rank, segment.fromRank),
                bytes: segment.bytes,
                message,
                segment,
            });
        }
        return { direction, peers: [...peers.values()] };
    });
}

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

function layer(answer, state, entries, rest, place, acts) {
    const { spec } = answer;
    const back = sendsBack(spec.exchange[state.exchange]);
    const most = Math.max(1, ...entries.flatMap((e) => e.peers.map((p) => p.bytes)));
    const drawn = [];
    for (const plane of allDirections(Math.min(2, spec.axes))) {
        const d = [...plane, ...rest];
        const column = 1 + d[0];
        const row = spec.axes > 1 ? 1 - d[1] : 0;
        const x = column * (SIZE + GAP);
        const y = row * (SIZE + GAP);
        if (d.every((n) => n === 0)) {
            drawn.push(
                svg(
                    "g",
                    { class: "neighbor own" },
                    svg("rect", { x, y, width: SIZE, height: SIZE, rx: 6 }),
                    text(x + SIZE / 2, y + 52, `rank ${state.rank}`, { class: "big middle" }),
                    text(
                        x + SIZE / 2,
                        y + 76,
                        blockWords(spec, state.blocks[state.block].tile, state.blocks[state.block].block),
                        { class: "small middle" },
                    ),
                ),
            );
            continue;
        }
        const entry = entries.find((e) => e.direction.every((n, a) => n === d[a]));
        if (!entry || entry.peers.length === 0) {
            drawn.push(
                svg(
                    "g",
                    { class: "neighbor nobody" },
                    svg("rect", { x, y, width: SIZE, height: SIZE, rx: 6 }),
                    text(x + SIZE / 2, y + SIZE / 2 + 4, entry ? acts.nobody(d) : "not in the stencil", {
                        class: "small middle",
                    }),
                ),
            );
            continue;
        }
        const height = SIZE / entry.peers.length;
        entry.peers.forEach((peer, i) => {
            drawn.push(
                neighbor(answer, peer, { x, y: y + i * height + 1, width: SIZE, height: height - 2 }, acts.choose),
            );
        });
        const bytes = entry.peers.reduce((sum, p) => sum + p.bytes, 0);
        const look = { path: entry.peers[0].path, width: 2 + 5 * Math.sqrt(bytes / most) };
        drawn.push(arrow(d, { column, row }, look, back));
    }
    return svg("g", { transform: `translate(${place})` }, ...drawn);
}

// All directions: one square of nine for each place along the axes beyond the second.
export function neighborsPicture(answer, state, acts) {
    const { spec } = answer;
    const entries = byDirection(answer, state);
    const deeper = allDirections(Math.max(0, spec.axes - 2));
    const tall = spec.axes > 1 ? ACROSS : SIZE;
    const layers = deeper.map((rest, i) => {
        const column = i % 3;
        const row = Math.floor(i / 3);
        const at = [column * (ACROSS + 56) + 4, row * (tall + 70) + 34];
        const words = rest.map((d, k) => `${["below", "same", "above"][d + 1]} along ${spec.axis[k + 2]}`).join(", ");
        return svg(
            "g",
            {},
            words ? text(at[0], at[1] - 12, words, { class: "layer" }) : null,
            layer(answer, state, entries, rest, at, acts),
        );
    });
    const columns = Math.min(3, deeper.length);
    const rows = Math.ceil(deeper.length / 3);
    return picture(
        "neighbors-picture",
        columns * (ACROSS + 56) - 48,
        rows * (tall + 70),
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
