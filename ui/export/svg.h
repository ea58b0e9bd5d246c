// svg.h: a screen as a picture: the same cells that the terminal shows.
#ifndef CAPLAB_UI_EXPORT_SVG_H
#define CAPLAB_UI_EXPORT_SVG_H

#include "ui/view/cell.h"

// A stand-alone SVG document, dark background, DejaVu Sans Mono or any monospace font.
void svg_from_grid(const ViewGrid *g, Buf *out);

#endif
