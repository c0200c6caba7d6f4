package dev.tilewright.space.raster;

/**
 * The Hilbert curve over a grid of any extents (the generalised one, "gilbert"): every tile once, each next to the one
 * before it, and tiles that follow each other for a while lie in a compact part of the grid. There is one exception:
 * where the longer side is odd and the shorter one even, and both are more than 1, one step may be a diagonal one.
 *
 * @param tilesM rows of cluster tiles
 * @param tilesN columns of cluster tiles
 */
public record HilbertRaster(int tilesM, int tilesN) implements Raster {

    public HilbertRaster {
        if (tilesM < 1 || tilesN < 1) {
            throw new IllegalArgumentException(
                    "a raster has at least 1 row and 1 column, got " + tilesM + "x" + tilesN);
        }
    }

    /** About as many steps go along N as along M; a few more along the longer side. */
    @Override
    public boolean neighboursShareA() {
        return tilesN >= tilesM;
    }

    /** Goes down to the part of the grid that the tile lies in: as many steps as the extents have bits. */
    @Override
    public Place place(int tile) {
        if (tile < 0 || tile >= tiles()) {
            throw new IllegalArgumentException("a tile is 0.." + (tiles() - 1) + ", got " + tile);
        }
        Vector rows = new Vector(tilesM, 0);
        Vector columns = new Vector(0, tilesN);
        Vector origin = new Vector(0, 0);
        Part part = tilesN >= tilesM ? new Part(origin, columns, rows) : new Part(origin, rows, columns);
        int left = tile;
        while (!part.isLine()) {
            for (Part child : part.cut()) {
                part = child;
                if (left < child.tiles()) {
                    break;
                }
                left -= child.tiles();
            }
        }
        return part.onLine(left);
    }

    /** A way along one dimension, or a place. */
    private record Vector(int m, int n) {

        int length() {
            return Math.abs(m + n);
        }

        Vector unit() {
            return new Vector(Integer.signum(m), Integer.signum(n));
        }

        Vector plus(Vector other) {
            return new Vector(m + other.m, n + other.n);
        }

        Vector minus(Vector other) {
            return new Vector(m - other.m, n - other.n);
        }

        Vector times(int factor) {
            return new Vector(m * factor, n * factor);
        }

        /** About half of it, of even length if it can be, so that the curve ends where the next part begins. */
        Vector half() {
            int half = length() / 2;
            return unit().times(half % 2 == 1 && length() > 2 ? half + 1 : half);
        }
    }

    /**
     * A rectangle that the curve fills, from the corner at its origin to the one at the end of its first side.
     *
     * @param along the side from the start of the curve to its end
     * @param across the other side
     */
    private record Part(Vector origin, Vector along, Vector across) {

        int tiles() {
            return along.length() * across.length();
        }

        boolean isLine() {
            return along.length() == 1 || across.length() == 1;
        }

        Place onLine(int tile) {
            Vector way = across.length() == 1 ? along : across;
            Vector place = origin.plus(way.unit().times(tile));
            return new Place(place.m(), place.n());
        }

        /** Two parts one after the other if it is long, otherwise up, along, and down again. */
        Part[] cut() {
            if (2 * along.length() > 3 * across.length()) {
                Vector first = along.half();
                return new Part[] {
                    new Part(origin, first, across), new Part(origin.plus(first), along.minus(first), across)
                };
            }
            Vector up = across.half();
            Vector first = along.unit().times(along.length() / 2);
            Vector last = origin.plus(along.minus(along.unit())).plus(up.minus(up.unit()));
            return new Part[] {
                new Part(origin, up, first),
                new Part(origin.plus(up), along, across.minus(up)),
                new Part(last, up.times(-1), along.minus(first).times(-1))
            };
        }
    }
}
