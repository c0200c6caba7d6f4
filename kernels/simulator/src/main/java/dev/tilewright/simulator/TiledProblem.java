package dev.tilewright.simulator;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.raster.Raster;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A problem cut into cluster tiles, all GEMMs of all groups and of the batch one after the other, in the tile order of
 * the plan. Where tiles are split along K, each of their pieces counts as a tile: first those of all first pieces.
 *
 * @param sections one for each GEMM, in that order
 * @param clusterTiles number of cluster tiles of all sections
 * @param pieces of each cluster tile
 */
record TiledProblem(List<Section> sections, int clusterTiles, int pieces) {

    /** More cluster tiles than this would only fill memory: no GPU of today holds such a problem. */
    private static final int MOST_CLUSTER_TILES = 4_000_000;

    /**
     * One GEMM, or a part of it along K.
     *
     * @param group index of its group in the problem
     * @param shape its extents; of a part with its depth
     * @param raster order of its cluster tiles
     * @param tilesM rows of CTA tiles that hold output
     * @param tilesN columns likewise
     * @param firstTile number of its first cluster tile
     * @param firstRow number of its first row of cluster tiles, counted over all sections
     * @param firstColumn number of its first column of cluster tiles, likewise
     */
    record Section(
            int group,
            ProblemShape shape,
            Raster raster,
            int tilesM,
            int tilesN,
            int firstTile,
            int firstRow,
            int firstColumn) {}

    /**
     * The work of a cluster for the number of a tile.
     *
     * @param depth elements of K
     * @param pieces into which its tile is cut, 1 if it is whole; any of them may be the last, which adds them up
     */
    record Work(Section section, Raster.Place coordinates, int depth, int pieces) {}

    /** The work that is done for a number. */
    Work work(int tile) {
        Section section = section(tile);
        Raster.Place coordinates = section.raster().place(tile - section.firstTile());
        return new Work(section, coordinates, section.shape().k(), pieces);
    }

    static TiledProblem of(Problem problem, KernelCost kernel) {
        List<Section> sections = new ArrayList<>();
        long tiles = 0;
        int row = 0;
        int column = 0;
        for (int group : order(problem, kernel)) {
            ProblemShape shape = problem.groups().get(group);
            int tilesM = Math.ceilDiv(shape.m(), kernel.multiply().tileM());
            int tilesN = Math.ceilDiv(shape.n(), kernel.multiply().tileN());
            int clusterTilesM = Math.ceilDiv(tilesM, kernel.cluster().m());
            int clusterTilesN = Math.ceilDiv(tilesN, kernel.cluster().n());
            long own = (long) clusterTilesM * clusterTilesN;
            long pieces = (long) problem.batch() * kernel.pieces();
            if (tiles + own * pieces > MOST_CLUSTER_TILES) {
                throw new IllegalArgumentException("the simulator takes at most " + MOST_CLUSTER_TILES
                        + " cluster tiles, and group " + group + " (" + shape + ", batch " + problem.batch()
                        + ") brings the problem to "
                        + (tiles + own * pieces));
            }
            Raster raster = kernel.schedule().launch().raster(clusterTilesM, clusterTilesN);
            for (int repeat = 0; repeat < problem.batch(); repeat++) {
                for (int piece = 0; piece < kernel.pieces(); piece++) {
                    ProblemShape part = part(shape, kernel, piece);
                    sections.add(new Section(group, part, raster, tilesM, tilesN, (int) tiles, row, column));
                    tiles += own;
                    row += clusterTilesM;
                    column += clusterTilesN;
                }
            }
        }
        return new TiledProblem(List.copyOf(sections), (int) tiles, kernel.pieces());
    }

    private static ProblemShape part(ProblemShape shape, KernelCost kernel, int piece) {
        int k = Math.min(
                shape.k(), kernel.blocks(shape.k(), piece) * kernel.load().tileK());
        return new ProblemShape(shape.m(), shape.n(), k);
    }

    /** The groups in the order of their tiles; a GEMM's tiles are all as deep, so that they stay together. */
    private static List<Integer> order(Problem problem, KernelCost kernel) {
        Stream<Integer> groups = IntStream.range(0, problem.groups().size()).boxed();
        Comparator<Integer> byDepth = Comparator.comparingInt(group ->
                Math.ceilDiv(problem.groups().get(group).k(), kernel.load().tileK()));
        return (switch (kernel.schedule().launch().tileOrder()) {
                    case AS_GIVEN -> groups;
                    case LONGEST_FIRST -> groups.sorted(byDepth.reversed());
                })
                .toList();
    }

    /** The GEMM to which a cluster tile belongs. */
    Section section(int clusterTile) {
        int low = 0;
        int high = sections.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (sections.get(middle).firstTile() <= clusterTile) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return sections.get(low);
    }

    /** Rows of cluster tiles of all sections. */
    int rows() {
        Section last = sections.getLast();
        return last.firstRow() + last.raster().tilesM();
    }

    /** Columns of cluster tiles of all sections. */
    int columns() {
        Section last = sections.getLast();
        return last.firstColumn() + last.raster().tilesN();
    }
}
