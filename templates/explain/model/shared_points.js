// Points that several blocks own, and which of these blocks feeds the others: runtime/grid/shared_points.c, in the page.
//
// A view is the side as one tile has it: { tile, field, sign, map }.  A cell is a part of the side whose points are held
// by the same blocks.

import {
    boxIntersect,
    boxIsEmpty,
    boxOfRewrite,
    mapBox,
    mapBoxBack,
    mapCompose,
    mapIdentity,
    mapIndex,
    mapOfLink,
} from "./box.js";
import { findLink, linkWraps } from "./cut.js";
import { layoutBlock, layoutCells, layoutPart, pointsOf } from "./layout.js";

const meets = (lo, hi, first, end) => lo < end && hi > first;

// Do two maps take every point of a box to the same place?
function sameOn(box, one, other) {
    const last = box.hi.map((hi) => hi - 1);
    return one.axis.every((axis, s) => {
        const long = box.hi[axis] - box.lo[axis] > 1;
        return (
            mapIndex(one, s, box.lo) === mapIndex(other, s, box.lo) &&
            mapIndex(one, s, last) === mapIndex(other, s, last) &&
            (!long || axis === other.axis[s])
        );
    });
}

class Finder {
    constructor(layout, side, decides, all) {
        this.layout = layout;
        this.spec = layout.spec;
        this.side = side;
        this.decides = decides;
        this.all = all;
        this.pieces = [];
    }

    positions(field) {
        return this.spec.positions[this.spec.field[field].positions];
    }

    hasFaces(field, axis) {
        return this.positions(field).extra[axis] !== 0;
    }

    // The points of a tile, at the positions of a field.
    tileBox(tile, field) {
        const hi = pointsOf(this.spec, field, this.layout.tiles[tile].cells);
        return { lo: hi.map(() => 0), hi };
    }

    linkAcross(field, tile, axis, end) {
        const direction = Array(this.spec.axes).fill(0);
        direction[axis] = end;
        return findLink(this.spec, field, tile, direction);
    }

    stepOf(link) {
        const { tiles } = this.layout;
        return mapOfLink(link, tiles[link.tile].cells, tiles[link.source].cells);
    }

    sourceField(link, field) {
        return link.component < 0 ? field : this.spec.field[field].vector[link.component];
    }

    // Points next to an end of the side's tile that the link there maps into its source.
    pointsDoubled(axis, end) {
        const link = this.linkAcross(this.side.field, this.side.tile, axis, end);
        if (!link) return 0;
        const map = this.stepOf(link);
        const s = link.map.findIndex((m) => m.axis === axis);
        const there = this.tileBox(link.source, this.sourceField(link, this.side.field)).hi[s];
        const here = this.tileBox(link.tile, this.side.field).hi[axis];
        for (let count = 0; ; ++count) {
            const point = Array(this.spec.axes).fill(0);
            point[axis] = end < 0 ? count : here - 1 - count;
            const image = mapIndex(map, s, point);
            if (count === here || image < 0 || image >= there) return count;
        }
    }

    // How many of the points [first, end) of the block are on its low and high side along an axis: each is on one.
    sides(axis, first, end) {
        const faces = Number(this.hasFaces(this.side.field, axis));
        const all = this.tileBox(this.side.tile, this.side.field).hi[axis];
        let low = Math.max(faces, this.pointsDoubled(axis, -1) - first);
        let high = Math.max(faces, end - (all - this.pointsDoubled(axis, 1)));
        low = Math.min(low, end - first - Number(high > 0));
        high = Math.min(high, end - first - low);
        return { low, high };
    }

    // The points on a side of the block, without those on its edges: these are sides of their own.
    findSide() {
        const { first, cells } = layoutCells(this.layout, this.side.tile, this.side.block);
        this.first = first;
        this.box = { lo: [], hi: [] };
        first.forEach((f, a) => {
            const d = this.side.direction[a];
            const end = f + cells[a] + Number(this.hasFaces(this.side.field, a));
            const { low, high } = this.sides(a, f, end);
            this.box.lo[a] = d < 0 ? f : d > 0 ? end - high : f + low;
            this.box.hi[a] = d < 0 ? f + low : d > 0 ? end : end - high;
        });
        return !boxIsEmpty(this.box);
    }

    // Are the points of a box the same in two views?  Components of a vector on faces across different axes never are.
    samePoints(box, one, other) {
        const faces = this.positions(other.field).extra;
        return (
            one.tile === other.tile &&
            sameOn(box, one.map, other.map) &&
            this.positions(one.field).extra.every((extra, a) => extra === faces[a])
        );
    }

    addView(fresh) {
        const known = this.views.some((v) => this.samePoints(this.box, v, fresh));
        if (!known) this.views.push(fresh);
    }

    // What lies across one side of a view's tile.  Who comes out far behind the end of a ring goes around.
    cross(from, link, axis) {
        const beyond = {
            tile: link.source,
            field: this.sourceField(link, from.field),
            sign: from.sign * link.sign,
            map: mapCompose(this.stepOf(link), from.map),
        };
        const s = link.map.findIndex((m) => m.axis === axis);
        const there = mapBox(beyond.map, this.box);
        const all = this.tileBox(beyond.tile, beyond.field);
        const behind = link.direction[axis] < 0 ? there.hi[s] <= 0 : there.lo[s] >= all.hi[s];
        const far = linkWraps(link) && behind;
        if (far || meets(there.lo[s], there.hi[s], all.lo[s], all.hi[s])) this.addView(beyond);
    }

    // All tiles that have the points: across sides, those behind which a tile begins again first, and so on from there.
    findViews() {
        const { tile, field } = this.side;
        this.views = [{ tile, field, sign: 1, map: mapIdentity(this.spec.axes) }];
        for (let v = 0; v < this.views.length; ++v) {
            for (const wraps of [true, false]) {
                for (let way = 0; way < 2 * this.spec.axes; ++way) {
                    const from = this.views[v];
                    const axis = way >> 1;
                    const link = this.linkAcross(from.field, from.tile, axis, way % 2 ? 1 : -1);
                    if (link && linkWraps(link) === wraps) this.cross(from, link, axis);
                }
            }
        }
    }

    addBreak(axis, at) {
        if (at > this.box.lo[axis] && at < this.box.hi[axis]) this.breaks[axis].push(at);
    }

    // At the cuts of a view's tile along axis s; a face there is a cell of its own.
    breakAtCuts(view, s) {
        const cuts = this.layout.tiles[view.tile].cuts[s];
        const axis = view.map.axis[s];
        const turn = view.map.turn[s];
        for (let p = 1; p < cuts.length - 1; ++p) {
            const at = turn * (cuts[p] - view.map.offset[s]);
            if (this.hasFaces(view.field, s)) {
                this.addBreak(axis, at);
                this.addBreak(axis, at + 1);
            } else {
                this.addBreak(axis, turn > 0 ? at : at + 1);
            }
        }
    }

    // Where two views of one tile run against each other: in the middle they pass.
    breakInMiddle(one, other, s) {
        const axis = one.map.axis[s];
        if (one.tile !== other.tile || axis !== other.map.axis[s] || one.map.turn[s] === other.map.turn[s]) return;
        const twice = one.map.turn[s] * (other.map.offset[s] - one.map.offset[s]);
        const below = Math.floor(twice / 2);
        if (twice % 2 === 0) this.addBreak(axis, below);
        this.addBreak(axis, below + 1);
    }

    // Where a view goes into a box of its tile, or out of it.
    breakAtBox(view, box) {
        if (boxIsEmpty(box)) return;
        const here = mapBoxBack(view.map, box);
        here.lo.forEach((lo, a) => {
            this.addBreak(a, lo);
            this.addBreak(a, here.hi[a]);
        });
    }

    rewrittenBoxes(view) {
        return this.positions(view.field).rewrite.map((r) => boxOfRewrite(r, this.layout.tiles[view.tile].cells));
    }

    findBreaks() {
        this.breaks = this.box.lo.map(() => []);
        this.views.forEach((view, v) => {
            this.breakAtBox(view, this.tileBox(view.tile, view.field));
            for (const box of this.rewrittenBoxes(view)) this.breakAtBox(view, box);
            for (let s = 0; s < this.spec.axes; ++s) {
                this.breakAtCuts(view, s);
                for (let u = 0; u < v; ++u) this.breakInMiddle(this.views[u], view, s);
            }
        });
        for (const list of this.breaks) list.sort((x, y) => x - y);
    }

    // All blocks of a view's tile that have the points of a holder; its index is known along axes before this one.
    addHolders(holder, axis) {
        if (axis === this.spec.axes) {
            this.holders.push({
                ...holder,
                index: holder.index.slice(),
                block: layoutBlock(this.layout, holder.tile, holder.index),
            });
            return;
        }
        const { cells, cuts } = this.layout.tiles[holder.tile];
        const point = holder.box.lo[axis];
        const part = layoutPart(this.layout, holder.tile, axis, Math.min(point, cells[axis] - 1));
        const first = this.hasFaces(this.views[holder.view].field, axis) && point === cuts[axis][part];
        holder.index[axis] = part;
        this.addHolders({ ...holder, low: holder.low + Number(first) }, axis + 1);
        if (first && part > 0) {
            holder.index[axis] = part - 1;
            this.addHolders(holder, axis + 1);
        }
    }

    // Which end of its tile a holder's points lie on, along an axis: 0 low, 2 high, 1 neither.
    endOf(tile, field, box, axis) {
        if (!this.hasFaces(field, axis)) return 1;
        return box.lo[axis] <= 0 ? 0 : box.hi[axis] >= this.tileBox(tile, field).hi[axis] ? 2 : 1;
    }

    // Does a view add holders of a cell: is it within the tile, and no view before it the same?
    isAnother(cell, v) {
        const view = this.views[v];
        const within = boxIntersect(mapBox(view.map, cell), this.tileBox(view.tile, view.field));
        const same = (other) => this.samePoints(cell, other, view);
        return !boxIsEmpty(within) && !this.views.slice(0, v).some(same);
    }

    findHolders(cell) {
        this.holders = [];
        this.views.forEach((view, v) => {
            if (!this.isAnother(cell, v)) return;
            const box = mapBox(view.map, cell);
            const end = box.lo.map((_, a) => this.endOf(view.tile, view.field, box, a));
            const rewritten = this.rewrittenBoxes(view).some((all) => !boxIsEmpty(boxIntersect(all, box)));
            this.addHolders({ view: v, tile: view.tile, box, end, rewritten, low: 0, index: [] }, 0);
        });
        this.holders.sort(compareHolders);
    }

    // Is it the last holder of its group: in its tile, the block of highest number?
    endsGroup(h) {
        return h + 1 === this.holders.length || this.holders[h + 1].view !== this.holders[h].view;
    }

    // Is one holder to feed rather than one before it?  What lies on others never is.
    feedsRather(one, before) {
        if (one.rewritten !== before.rewritten) return before.rewritten;
        return this.decides === "greater" && one.low > before.low;
    }

    findFeeder() {
        let found = -1;
        this.holders.forEach((holder, h) => {
            if (this.endsGroup(h) && (found < 0 || this.feedsRather(holder, this.holders[found]))) found = h;
        });
        return found;
    }

    addPiece(cell, source) {
        const holder = this.holders[source];
        const view = this.views[holder.view];
        const { cuts } = this.layout.tiles[holder.tile];
        this.pieces.push({
            lo: cell.lo.map((lo, a) => lo - this.first[a]),
            hi: cell.hi.map((hi, a) => hi - this.first[a]),
            sourceTile: holder.tile,
            sourceBlock: holder.block,
            sourceField: view.field,
            sourceFirst: holder.index.map((i, a) => mapIndex(view.map, a, cell.lo) - cuts[a][i]),
            axis: view.map.axis,
            turn: view.map.turn,
            sign: view.sign,
        });
    }

    addCell(cell) {
        this.findHolders(cell);
        const feeder = this.findFeeder();
        const own = this.holders.findIndex((h) => h.view === 0 && h.block === this.side.block);
        this.holders.forEach((_, h) => {
            if (h !== own && (this.all || (h === feeder && own !== feeder))) this.addPiece(cell, h);
        });
    }

    // Divides the side along one axis after another.
    addCells(cell, axis) {
        if (axis === this.spec.axes) {
            this.addCell({ lo: cell.lo.slice(), hi: cell.hi.slice() });
            return;
        }
        let next = this.box.lo[axis];
        for (const end of [...this.breaks[axis], this.box.hi[axis]]) {
            if (end <= next) continue;
            cell.lo[axis] = next;
            cell.hi[axis] = end;
            next = end;
            this.addCells(cell, axis + 1);
        }
    }
}

// By tile, place in it and block: nothing in it depends on who looks.
function compareHolders(one, other) {
    if (one.tile !== other.tile) return one.tile - other.tile;
    for (let a = 0; a < one.end.length; ++a) {
        if (one.end[a] !== other.end[a]) return one.end[a] - other.end[a];
        if (one.box.lo[a] !== other.box.lo[a]) return one.box.lo[a] - other.box.lo[a];
    }
    return one.block - other.block;
}

// The pieces of what a block holds on one of its sides that others feed.  decides: "greater" or "owner"; all: one piece
// for each other holder, for means and sums.
export function findSharedPoints(layout, side, decides, all) {
    const finder = new Finder(layout, side, decides, all);
    if (!finder.findSide()) return [];
    finder.findViews();
    finder.findBreaks();
    finder.addCells({ lo: [], hi: [] }, 0);
    return finder.pieces;
}
