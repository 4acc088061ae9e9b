/*
 * Messages without a buffer: what lies in one piece in an array is sent from there, and received there.
 */
#ifndef HX_IN_PLACE_H
#define HX_IN_PLACE_H

#include "transport/routes.h"

/*
 * Marks the segments of a copying exchange that travel in messages of their own, on both ends alike: those
 * that are one run in the array of their destination if its strides are dense, and long enough.  Of these, as
 * each end finds its strides, those that need no buffer there.  Puts the former first in the order of
 * messages with a peer.
 */
void hxi_in_place_mark(const hx_spec *spec, const hxi_layout *layout, const hxi_block_list *mine,
                       const hxi_routes *routes, hxi_segments *segments);

#endif
