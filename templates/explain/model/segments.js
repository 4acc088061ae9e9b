// What travels in an exchange, segment by segment, in the order of messages: runtime/pack/segment.c, in the page.

import { boxVolume } from "./box.js";
import { cutGhost } from "./cut.js";
import { layoutIndex, layoutOwner } from "./layout.js";
import { findSharedPoints } from "./shared_points.js";

const ALIGNMENT = 16;
const KINDS = ["sent", "received", "within"];

// Does an exchange send ghost points back to their owners?
export function sendsBack(exchange) {
    return ["add", "min", "max"].includes(exchange.operation);
}

// By dimension a piece takes along what its source has got in earlier phases, as far as the grid goes.
function extendPiece(layout, ghost, piece, phases, phase) {
    const { spec, tiles } = layout;
    const index = layoutIndex(layout, ghost.tile, ghost.block);
    for (const axis of phases.slice(0, phase)) {
        const cuts = tiles[ghost.tile].cuts[axis];
        const endless = spec.periodic[axis];
        const lo = endless ? ghost.widthLo[axis] : Math.min(ghost.widthLo[axis], cuts[index[axis]]);
        const above = tiles[ghost.tile].cells[axis] - cuts[index[axis] + 1];
        const hi = endless ? ghost.widthHi[axis] : Math.min(ghost.widthHi[axis], above);
        piece.lo[axis] -= lo;
        piece.hi[axis] += hi;
        piece.sourceFirst[axis] -= lo;
    }
}

// Bytes of a number in a message, by hx_wire; the first one is for numbers that travel as they are.
const BYTES_OF_NUMBER = [0, 4, 2, 2, 1, 2, 4];

function bytesOnWire(field, wire) {
    if (wire === 0) return field.size;
    const elements = field.components_after > 0 ? 1 : field.components || 1;
    return elements * (field.type.startsWith("hx_complex") ? 2 : 1) * BYTES_OF_NUMBER[wire];
}

function bytesOfPoint(field, item, picks) {
    const components = picks ? picks.length : field.components || 1;
    const whole = bytesOnWire(field, item.wire);
    if (field.components_after > 0) return components * whole;
    return picks ? components * (whole / field.components) : whole;
}

// The pieces that feed one field of a block in one direction.
function piecesOf(layout, exchange, ghost) {
    if (exchange.shared === "not") return cutGhost(layout, ghost);
    const all = exchange.operation === "mean" || exchange.operation === "sum";
    return findSharedPoints(layout, ghost, exchange.shared, all);
}

function belongsToPhase(direction, phases, phase) {
    return !phases || direction.every((d, a) => (d !== 0) === (a === phases[phase]));
}

// All segments that feed one block, whoever owns it.
function segmentsOfBlock(layout, number, tile, block, phases, phase) {
    const { spec } = layout;
    const exchange = spec.exchange[number];
    const found = [];
    exchange.direction.forEach((direction, d) => {
        if (!belongsToPhase(direction, phases, phase)) return;
        exchange.field.forEach((item, i) => {
            const picks = item.picks && item.picks[d];
            if (picks && picks.length === 0) return;
            const ghost = { tile, block, field: item.field, widthLo: item.width_lo, widthHi: item.width_hi, direction };
            for (const piece of piecesOf(layout, exchange, ghost)) {
                if (phases) extendPiece(layout, ghost, piece, phases, phase);
                const field = spec.field[item.field];
                found.push({
                    ...piece,
                    exchange: number,
                    field: item.field,
                    item: i,
                    direction,
                    directionNumber: d,
                    tile,
                    block,
                    picks: picks || null,
                    components: picks ? picks.length : field.components || 1,
                    phase,
                    toRank: layoutOwner(layout, tile, block),
                    fromRank: layoutOwner(layout, piece.sourceTile, piece.sourceBlock),
                    bytes: boxVolume(piece) * bytesOfPoint(field, item, picks),
                });
            }
        });
    });
    return found;
}

function compareNumbers(one, other) {
    for (let i = 0; i < one.length; ++i) {
        if (one[i] !== other[i]) return one[i] - other[i];
    }
    return 0;
}

// The order of the contract with every peer.
function compareSegments(x, y) {
    const key = (s) => [s.tile, s.block, s.directionNumber, s.sourceTile, s.sourceBlock, s.item, ...s.lo];
    return compareNumbers(key(x), key(y));
}

// Bytes behind a multiple of the alignment at which a segment begins: on devices those of its first row in its array.
function phaseOf(spec, segment) {
    const field = spec.field[segment.field];
    if (!field.on_device) return 0;
    const fastest = field.order[0];
    return ((field.halo_lo[fastest] + segment.lo[fastest]) * field.size) % ALIGNMENT;
}

// Sets the offsets of the segments of one message; returns its bytes.
function placeSegments(spec, segments) {
    let end = 0;
    for (const segment of segments) {
        segment.offset = end + ((ALIGNMENT + phaseOf(spec, segment) - (end % ALIGNMENT)) % ALIGNMENT);
        end = segment.offset + segment.bytes;
    }
    return end;
}

// Everything that feeds any block in one exchange, worked out once: what ranks ask for is a part of it.
export function allSegments(layout, exchange, phases = null) {
    const found = [];
    for (let phase = 0; phase < (phases ? phases.length : 1); ++phase) {
        layout.tiles.forEach((tile, t) => {
            for (let b = 0; b < tile.blocks; ++b) found.push(...segmentsOfBlock(layout, exchange, t, b, phases, phase));
        });
    }
    return found;
}

// The messages of a rank, and what it moves within itself: { kind, peer, phase, bytes, segments }; peer: the rank itself
// for what stays within.  Those sent come first, then those received.
export function messagesOf(layout, exchange, segments, rank) {
    const back = sendsBack(layout.spec.exchange[exchange]);
    const messages = new Map();
    for (const segment of segments) {
        const { fromRank, toRank, phase } = segment;
        if (fromRank !== rank && toRank !== rank) continue;
        const sends = back ? toRank === rank : fromRank === rank;
        const kind = fromRank === toRank ? "within" : sends ? "sent" : "received";
        const peer = fromRank === rank ? toRank : fromRank;
        const key = `${kind} ${peer} ${phase}`;
        if (!messages.has(key)) messages.set(key, { kind, peer, phase, bytes: 0, segments: [] });
        messages.get(key).segments.push({ ...segment, offset: 0 });
    }
    const order = (m) => [m.phase, KINDS.indexOf(m.kind), m.peer];
    const sorted = [...messages.values()].sort((x, y) => compareNumbers(order(x), order(y)));
    for (const message of sorted) {
        message.segments.sort(compareSegments);
        const packed = message.kind !== "within";
        message.bytes = packed
            ? placeSegments(layout.spec, message.segments)
            : message.segments.reduce((sum, s) => sum + s.bytes, 0);
    }
    return sorted;
}

// Is the source turned to the destination, or does a value change its sign on the way?
export function isTurned(segment) {
    return segment.sign !== 1 || segment.axis.some((axis, s) => axis !== s || segment.turn[s] !== 1);
}
