// The phases of an exchange: runtime/grid/schedule.c, in the page.

function fillsAlong(exchange, axis) {
    return exchange.field.some((item) => item.width_lo[axis] + item.width_hi[axis] > 0);
}

// Is some block thinner than the width along an axis where a field is stored on both faces?
function hopsAlong(layout, exchange, axis) {
    const { spec, tiles } = layout;
    const both = exchange.field.filter((item) => spec.positions[spec.field[item.field].positions].extra[axis]);
    const widest = Math.max(0, ...both.map((item) => Math.max(item.width_lo[axis], item.width_hi[axis])));
    const cuts = tiles[0].cuts[axis];
    return cuts.slice(1).some((end, i) => end - cuts[i] < widest);
}

// The axes of the phases of a schedule by dimension; null: the exchange goes in one phase only.
export function phasesByDimension(layout, exchange) {
    const { spec, tiles } = layout;
    const onDevice = exchange.field.some((item) => spec.field[item.field].on_device);
    if (onDevice || exchange.operation !== "copy" || spec.list || !exchange.by_dimension || tiles.length > 1)
        return null;
    const around = (axis) => spec.periodic[axis] || tiles[0].parts[axis] > 1;
    const axes = spec.field[exchange.field[0].field].order.filter((a) => around(a) && fillsAlong(exchange, a));
    return axes.length < 2 || axes.some((a) => hopsAlong(layout, exchange, a)) ? null : axes;
}
