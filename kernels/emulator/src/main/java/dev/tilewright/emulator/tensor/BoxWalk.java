package dev.tilewright.emulator.tensor;

/** Walks over the rows of a box and says for each what of it lies inside the tensor. */
public final class BoxWalk {
    /** Receives each row of 16-byte chunks. */
    @FunctionalInterface
    public interface RowVisitor {
        /**
         * One row of the box.
         *
         * @param shared bytes from the start of the box in shared memory to the row, before the swizzle
         * @param global bytes from the start of the tensor to the row's first element; meaningless if the row is
         *     outside
         * @param skip leading bytes of the row that lie outside
         * @param inside bytes that lie inside, after those skipped; 0 if none
         */
        void row(int shared, long global, int skip, int inside);
    }

    private BoxWalk() {}

    /**
     * Visits all rows of the box at these coordinates, innermost first.
     *
     * @param coordinates one of each dimension; or, of a map of {@link TensorMap#fourRows}, a column and four rows
     */
    public static void walk(TensorMap map, int[] coordinates, RowVisitor visitor) {
        int rank = map.rank();
        int bytes = map.type().bytes();
        int width = map.box().getFirst();
        long first = coordinates[0];
        long from = Math.max(first, 0);
        long to = Math.min(first + width, map.dims().getFirst());
        int skip = (int) Math.min(width, from - first) * bytes;
        int inside = (int) Math.max(0, to - from) * bytes;
        int[] index = new int[rank];
        int rows = map.rows();
        boolean named = coordinates.length > rank;
        for (int row = 0; row < rows; row++) {
            long global = first * bytes;
            boolean within = true;
            for (int d = 1; d < rank; d++) {
                long at = named
                        ? coordinates[1 + row]
                        : coordinates[d]
                                + (long) index[d] * map.elementStrides().get(d);
                within &= at >= 0 && at < map.dims().get(d);
                global += at * map.strides().get(d - 1);
            }
            visitor.row(row * map.pitch(), global, skip, within ? inside : 0);
            for (int d = 1; d < rank; d++) {
                if (++index[d] < map.steps(d)) {
                    break;
                }
                index[d] = 0;
            }
        }
    }
}
