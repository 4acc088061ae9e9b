#include "grid/file_box.h"

#include "base/saturate.h"
#include "grid/cut.h"

hxi_file_array hxi_file_array_of(const hx_spec *spec, int field, const int cells[])
{
    const hx_field *f = &spec->field[field];
    int points[HX_MAX_AXES];
    hxi_cut_points(spec, field, cells, points);
    hxi_file_array array = {.axes = spec->axes + (f->components > 0)};
    int next = array.axes;
    for (int position = 0; position <= spec->axes; ++position) {
        if (f->components > 0 && f->place == position) {
            array.axis[--next] = HX_FILE_COMPONENTS;
            array.size[next] = f->components;
        }
        if (position < spec->axes) {
            array.axis[--next] = f->order[position];
            array.size[next] = points[f->order[position]];
        }
    }
    return array;
}

ptrdiff_t hxi_file_array_elements(const hxi_file_array *array)
{
    ptrdiff_t elements = 1;
    for (int a = 0; a < array->axes; ++a) {
        elements = hxi_times(elements, array->size[a]);
    }
    return elements;
}

bool hxi_file_tiles_alike(const hxi_layout *layout)
{
    bool alike = true;
    for (int t = 1; t < layout->tiles; ++t) {
        for (int a = 0; a < layout->axes; ++a) {
            alike = alike && layout->tile[t].cells[a] == layout->tile[0].cells[a];
        }
    }
    return alike;
}

hxi_file_box hxi_file_box_of(const hx_spec *spec, const hxi_layout *layout, const hxi_block *block, int field)
{
    const hxi_file_array array = hxi_file_array_of(spec, field, block->cells);
    const int elements = hxi_block_elements(&spec->field[field]);
    const int origin[HX_MAX_AXES] = {0};
    const int one[HX_MAX_AXES] = {1, 1, 1, 1};
    const hxi_subbox point = {.first = origin, .n = one};
    const hx_region region = hxi_block_region(spec, block, field, 0, &point);
    int index[HX_MAX_AXES] = {0};
    if (!spec->list) {
        hxi_layout_index(layout, block->tile, block->number, index);
    }
    hxi_file_box box = {.at = region.at * elements};
    for (int a = 0; a < array.axes; ++a) {
        const int axis = array.axis[a];
        box.n[a] = array.size[a];
        if (axis == HX_FILE_COMPONENTS) {
            box.stride[a] = elements > 1 ? 1 : block->apart[field];
        } else {
            box.first[a] = spec->list ? 0 : layout->tile[block->tile].cuts[axis][index[axis]];
            box.stride[a] = region.stride[axis] * elements;
        }
    }
    return box;
}

/* Can blocks share points across an axis? */
static bool is_shared(const hx_spec *spec, int field, int axis)
{
    return axis >= 0 && spec->decomposed[axis] &&
           spec->positions[spec->field[field].positions].extra[axis] != 0;
}

int hxi_file_passes(const hx_spec *spec, int field)
{
    int passes = 1;
    for (int a = 0; a < spec->axes; ++a) {
        passes *= is_shared(spec, field, a) ? 2 : 1;
    }
    return passes;
}

/*
 * Of two blocks that share points across an axis the upper one has them in pass 0.  The bits of a pass say
 * for each such axis whether it has the points of the lower one instead.  So no two blocks have the same point
 * in one pass.
 */
hxi_file_box hxi_file_box_in_pass(const hx_spec *spec, const hxi_layout *layout, const hxi_block *block,
                                  int field, int pass)
{
    const hxi_file_array array = hxi_file_array_of(spec, field, block->cells);
    hxi_file_box box = hxi_file_box_of(spec, layout, block, field);
    int index[HX_MAX_AXES];
    hxi_layout_index(layout, block->tile, block->number, index);
    for (int a = 0; a < array.axes; ++a) {
        const int axis = array.axis[a];
        if (!is_shared(spec, field, axis)) {
            continue;
        }
        const bool last = index[axis] + 1 == layout->tile[block->tile].parts[axis];
        const ptrdiff_t inner = box.n[a] - 1; /* and one point that the next block has, too */
        if (pass % 2 == 0) {
            box.n[a] = last ? inner + 1 : inner;
        } else {
            box.at += inner * box.stride[a];
            box.first[a] += inner;
            box.n[a] = last ? 0 : 1;
        }
        pass /= 2;
    }
    return box;
}

bool hxi_file_box_empty(const hxi_file_array *array, const hxi_file_box *box)
{
    bool empty = false;
    for (int a = 0; a < array->axes; ++a) {
        empty = empty || box->n[a] == 0;
    }
    return empty;
}
