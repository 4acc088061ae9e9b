// What the page shows: a question (cells, ranks, how they are divided) and all that follows from it.

import { allSegments, messagesOf, sendsBack } from "./segments.js";
import { blocksOf, evenOwners, layoutCells, makeLayout, pointsOf, refusalOf } from "./layout.js";
import { boxHas, boxVolume } from "./box.js";
import { cornerFills } from "./corners.js";
import { findLink } from "./cut.js";
import { phasesByDimension } from "./schedule.js";
import { processGrids } from "./process_grid.js";

const MOST_BLOCKS = 1024; // that a page works out

// Parts along each axis of a tile, for so many blocks.
function partsFor(spec, cells, blocks) {
    if (spec.tiles > 1 && !spec.decomposed.some((yes) => yes)) return cells.map(() => 1);
    const [best] = processGrids(blocks, {
        cells,
        periodic: spec.periodic,
        faceBytes: spec.face_bytes,
        parts: spec.decomposed.map((yes) => (yes ? 0 : 1)),
    });
    if (best) return best.parts;
    throw new RangeError(
        `${blocks} ranks cannot share a grid of ${cells.join(" × ")} cells. Ask for other ranks, or more cells.`,
    );
}

// The layout for a question { cells: per tile, parts: per tile or null, cuts: per tile or null, owners: or null, ranks }.
function layoutFor(spec, question) {
    const each = Math.ceil(question.ranks / spec.tiles); // tiles share the ranks evenly
    const tiles = question.cells.map((cells, t) => ({
        cells,
        parts: (question.parts && question.parts[t]) || partsFor(spec, cells, each),
        cuts: question.cuts && question.cuts[t],
    }));
    const blocks = tiles.reduce((sum, tile) => sum + tile.parts.reduce((x, y) => x * y, 1), 0);
    if (blocks > MOST_BLOCKS) {
        throw new RangeError(`${blocks} blocks are more than this page draws: ask for ${MOST_BLOCKS} or fewer.`);
    }
    const layout = makeLayout(spec, tiles, question.ranks, question.owners || evenOwners(blocks, question.ranks));
    const refusal = refusalOf(layout);
    if (refusal) throw new RangeError(refusal);
    return layout;
}

// By which path an exchange goes between two ranks: "self", "shared" (memory), "device" (to device) or "network".
function pathBetween(spec, question, exchange, rank, peer) {
    if (rank === peer) return "self";
    const node = (r) => (question.nodes ? question.nodes[r] : Math.floor(r / question.perNode));
    if (node(rank) !== node(peer)) return "network";
    return spec.exchange[exchange].field.some((item) => spec.field[item.field].on_device) ? "device" : "shared";
}

// Points of a field in a block: owned ones, and all with the halo.
export function fieldBox(spec, field, cells) {
    const points = pointsOf(spec, field, cells);
    const { halo_lo: below, halo_hi: above } = spec.field[field];
    return {
        owned: { lo: points.map(() => 0), hi: points },
        all: { lo: below.map((n) => 0 - n), hi: points.map((n, a) => n + above[a]) },
    };
}

// The box of owned points that a segment comes from, counted in its source block.
function sourceBox(segment) {
    const last = segment.axis.map(
        (axis, s) => segment.sourceFirst[s] + segment.turn[s] * (segment.hi[axis] - segment.lo[axis] - 1),
    );
    return {
        lo: last.map((l, s) => Math.min(l, segment.sourceFirst[s])),
        hi: last.map((l, s) => Math.max(l, segment.sourceFirst[s]) + 1),
    };
}

// Bytes that travel of each point, and of each of its components where these lie apart.
export function bytesOfElement(spec, segment) {
    const points = boxVolume(segment);
    const apart = spec.field[segment.field].components_after > 0;
    return apart ? segment.bytes / points / segment.components : segment.bytes / points;
}

// Where the bytes of a point are in the message of a segment: [first, end) for each component that travels apart.
export function bytesOfPointIn(spec, segment, point) {
    const field = spec.field[segment.field];
    const size = bytesOfElement(spec, segment);
    let number = 0;
    for (const axis of field.order.slice().reverse()) {
        number = number * (segment.hi[axis] - segment.lo[axis]) + point[axis] - segment.lo[axis];
    }
    const parts = field.components_after > 0 ? segment.components : 1;
    const partBytes = segment.bytes / parts;
    return [...Array(parts).keys()].map((part) => {
        const first = segment.offset + part * partBytes + number * size;
        return { first, end: first + size };
    });
}

// The point of a segment whose bytes include one of its message; null: none (a gap).
export function pointAtByte(spec, segment, byte) {
    const within = byte - segment.offset;
    if (within < 0 || within >= segment.bytes) return null;
    const field = spec.field[segment.field];
    const parts = field.components_after > 0 ? segment.components : 1;
    const partBytes = segment.bytes / parts;
    let rest = Math.floor((within % partBytes) / bytesOfElement(spec, segment));
    const point = [];
    for (const axis of field.order) {
        const n = segment.hi[axis] - segment.lo[axis];
        point[axis] = segment.lo[axis] + (rest % n);
        rest = Math.floor(rest / n);
    }
    return { point, component: parts > 1 ? Math.floor(within / partBytes) : 0 };
}

// An answer to a question: work that several pictures share is done once.
export class Answer {
    constructor(spec, question) {
        this.spec = spec;
        this.question = question;
        this.layout = layoutFor(spec, question);
        this.known = new Map();
    }

    phases(exchange) {
        const { byDimension } = this.question; // of all exchanges, or of each
        const asked = Array.isArray(byDimension) ? byDimension[exchange] : byDimension;
        return asked ? phasesByDimension(this.layout, this.spec.exchange[exchange]) : null;
    }

    // What find() gives, which is called for each key once.
    once(key, find) {
        if (!this.known.has(key)) this.known.set(key, find());
        return this.known.get(key);
    }

    segments(exchange) {
        return this.once(exchange, () => allSegments(this.layout, exchange, this.phases(exchange)));
    }

    messages(exchange, rank) {
        return this.once(`${exchange} of ${rank}`, () =>
            messagesOf(this.layout, exchange, this.segments(exchange), rank),
        );
    }

    path(exchange, rank, peer) {
        return pathBetween(this.spec, this.question, exchange, rank, peer);
    }

    // What lies at a point of a field of a block: { kind, ... }.
    //   "owned"    `uses`: segments that read the point (or that add to it)
    //   "ghost"    `segment` feeds it, of `message`
    //   "wall"     beyond a wall across `axis`, on its low (0) or high (1) `side`; `fill`: what fills it
    //   "corner"   a corner of tiles where no tile lies; `fills`: what fills it when asked, as cornerFills has it
    //   "unused"   in no direction or layer that the exchange fills
    at(exchange, field, { tile, block }, point) {
        const { cells, index, first } = layoutCells(this.layout, tile, block);
        const { owned } = fieldBox(this.spec, field, cells);
        const rank = this.layout.owners[this.layout.tiles[tile].first + block];
        const messages = this.messages(exchange, rank);
        const here = (s) => s.tile === tile && s.block === block && s.field === field && boxHas(s, point);
        for (const message of messages) {
            const segment = message.segments.find(here);
            if (segment) return { kind: "ghost", segment, message };
        }
        if (boxHas(owned, point)) {
            const uses = messages.flatMap((message) =>
                message.segments
                    .filter(
                        (s) =>
                            s.sourceTile === tile &&
                            s.sourceBlock === block &&
                            s.sourceField === field &&
                            s.fromRank === rank &&
                            boxHas(sourceBox(s), point),
                    )
                    .map((segment) => ({ message, segment })),
            );
            return { kind: "owned", uses };
        }
        return this.beyond(exchange, field, { tile, index, first }, owned, point);
    }

    // Why nothing feeds a ghost point.
    beyond(exchange, field, { tile, index, first }, owned, point) {
        const x = this.spec.exchange[exchange];
        const outside = point.map((p, a) => (p < 0 ? -1 : p >= owned.hi[a] ? 1 : 0));
        const atEnd = outside.map((d, a) =>
            d < 0 ? index[a] === 0 : d > 0 && index[a] === this.layout.tiles[tile].parts[a] - 1,
        );
        for (let axis = 0; axis < this.spec.axes; ++axis) {
            if (!atEnd[axis]) continue;
            const direction = outside.map((d, a) => (a === axis ? d : 0));
            if (!findLink(this.spec, field, tile, direction)) {
                const side = outside[axis] < 0 ? 0 : 1;
                return { kind: "wall", axis, side, fill: this.fillAt(x, field, outside, axis, side, point, owned) };
            }
        }
        const beyondTile = outside.map((d, a) => (atEnd[a] ? d : 0));
        const noTile = beyondTile.filter((d) => d !== 0).length > 1 && !findLink(this.spec, field, tile, beyondTile);
        if (!noTile) return { kind: "unused" };
        const at = { point, outside, points: owned.hi };
        return { kind: "corner", fills: cornerFills(this.layout, exchange, field, { tile, first }, at) };
    }

    // What fills a ghost point behind a wall: faces always, edges and corners where the stencil is a box.
    fillAt(x, field, outside, axis, side, point, owned) {
        const item = x.field.find((f) => f.field === field);
        const across = outside.filter((d) => d !== 0).length;
        const deep = item && point.every((p, a) => p >= -item.width_lo[a] && p < owned.hi[a] + item.width_hi[a]);
        return deep && (across === 1 || x.box) ? x.wall[axis][side] : "none";
    }
}

// Numbers of a rank's part in one exchange.
export function summaryOf(answer, exchange, rank) {
    const { spec, layout } = answer;
    const messages = answer.messages(exchange, rank);
    const of = (kind) => messages.filter((m) => m.kind === kind);
    const bytes = (list) => list.reduce((sum, m) => sum + m.bytes, 0);
    const blocks = blocksOf(layout, rank);
    let owned = 0;
    let all = 0;
    for (const { tile, block } of blocks) {
        const { cells } = layoutCells(layout, tile, block);
        for (const item of spec.exchange[exchange].field) {
            const box = fieldBox(spec, item.field, cells);
            owned +=
                boxVolume(box.owned) *
                spec.field[item.field].size *
                (spec.field[item.field].components_after > 0 ? spec.field[item.field].components : 1);
            all +=
                boxVolume(box.all) *
                spec.field[item.field].size *
                (spec.field[item.field].components_after > 0 ? spec.field[item.field].components : 1);
        }
    }
    return {
        blocks,
        peers: new Set(messages.filter((m) => m.kind !== "within").map((m) => m.peer)).size,
        sent: of("sent").length,
        sentBytes: bytes(of("sent")),
        received: of("received").length,
        receivedBytes: bytes(of("received")),
        withinBytes: bytes(of("within")),
        haloShare: all > 0 ? (all - owned) / all : 0,
        ownedBytes: owned,
        back: sendsBack(spec.exchange[exchange]),
    };
}
