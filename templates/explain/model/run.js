// What a real run wrote (HX_DESCRIBE=FILE), as a question: who owned which blocks, and who shared a node.

// Where each tile was cut along each axis, as far as the blocks tell; null: evenly.
function cutsOf(spec, tiles, blocks) {
    return tiles.map(({ cells, parts }, t) => {
        const cuts = parts.map((n, a) => [...Array(n).fill(null), cells[a]]);
        for (const block of blocks.filter((b) => b.tile === t)) {
            const index = indexOf(spec, parts, block.block);
            index.forEach((i, a) => {
                cuts[a][i] = block.first[a];
            });
        }
        return cuts.some((list) => list.includes(null)) ? null : cuts;
    });
}

function indexOf(spec, parts, block) {
    const axes = [...parts.keys()];
    const index = [];
    let rest = block;
    for (const a of spec.first_fastest ? axes : axes.reverse()) {
        index[a] = rest % parts[a];
        rest = Math.floor(rest / parts[a]);
    }
    return index;
}

// The question of a run.  Blocks of ranks that did not tell are said to be those of the first of them.
export function questionOfRun(spec, run) {
    const told = run.ranks.filter((r) => r);
    const silent = run.ranks.findIndex((r) => !r);
    const { tiles } = told[0];
    const first = [];
    let blocks = 0;
    for (const { parts } of tiles) {
        first.push(blocks);
        blocks += parts.reduce((product, n) => product * n, 1);
    }
    const owners = Array(blocks).fill(Math.max(0, silent));
    const nodes = run.ranks.map((r, rank) => (r ? r.node[0] : rank));
    for (const r of told) {
        for (const b of r.blocks) owners[first[b.tile] + b.block] = r.rank;
    }
    const all = told.flatMap((r) => r.blocks);
    return {
        cells: tiles.map((t) => t.cells),
        parts: tiles.map((t) => t.parts),
        cuts: cutsOf(spec, tiles, all),
        owners,
        nodes,
        ranks: run.ranks.length,
        perNode: Math.max(...told.map((r) => r.node.length)),
        byDimension: spec.exchange.map((x, e) => told[0].exchanges[e].schedule === "by-dimension"),
    };
}

// What a rank told of an exchange; null: nothing.
export function toldOf(run, rank, name) {
    const r = run.ranks[rank];
    return (r && r.exchanges.find((x) => x.name === name)) || null;
}
