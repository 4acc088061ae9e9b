// Where the parts of the picture of a message lie, and the shades of its fields.

export const WIDE = 940;
export const LEFT = 70;
export const RIGHT = 30;
export const ROWS = 12;
export const ROW_HEIGHT = 34;
export const ROWS_TOP = 130;

const SHADES = 6; // that the style of the page has

// By the number of a field among those that travel.
export function shadeOf(spec, { exchange, field }) {
    return `shade${spec.exchange[exchange].field.findIndex((f) => f.field === field) % SHADES}`;
}
