package dev.tilewright.gemm;

import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.parameter.LaunchConfig;
import dev.tilewright.space.parameter.TileOrder;
import dev.tilewright.space.raster.Raster;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The cluster tiles of a kernel that looks them up, of several GEMMs, in the order in which they are handed out. As in
 * {@link TileGrid} a cluster tile at the edge of its output may hold padding tiles.
 *
 * @param rows one for each cluster tile
 * @param clusterSize CTAs of a cluster
 */
public record TileTable(List<Row> rows, int clusterSize) implements TileNumbering {

    /** Bytes of a row in the memory of a GPU: eight words, of which the last two are 0. */
    public static final int ROW_BYTES = 32;

    /**
     * A cluster tile; its words in memory are in this order.
     *
     * @param gemm index of its GEMM in the {@link OperandLayout}
     * @param tileM row of its first CTA tile
     * @param tileN column of its first CTA tile
     * @param kBlocks blocks along K, at least 1
     * @param tilesM rows of CTA tiles that hold output of the GEMM
     * @param tilesN columns of CTA tiles that hold output of the GEMM
     */
    public record Row(int gemm, int tileM, int tileN, int kBlocks, int tilesM, int tilesN) {

        private List<Integer> words() {
            return List.of(gemm, tileM, tileN, kBlocks, tilesM, tilesN, 0, 0);
        }
    }

    public TileTable {
        rows = List.copyOf(rows);
    }

    /** The table of a problem; the tiles of each GEMM in the raster order of the config, the rows in its tile order. */
    static TileTable of(Problem problem, Config config) {
        List<Row> rows = new ArrayList<>();
        List<OperandLayout.Gemm> gemms = OperandLayout.of(problem).gemms();
        for (int gemm = 0; gemm < gemms.size(); gemm++) {
            add(rows, gemm, gemms.get(gemm).shape(), config);
        }
        switch (TileOrder.KEY.of(config)) {
            case AS_GIVEN -> {}
            case LONGEST_FIRST ->
                rows.sort(Comparator.comparingInt(Row::kBlocks).reversed());
        }
        return new TileTable(rows, config.whole("clusterM") * config.whole("clusterN"));
    }

    private static void add(List<Row> rows, int gemm, ProblemShape shape, Config config) {
        TileGrid grid = TileGrid.of(shape, config);
        int kBlocks = Math.ceilDiv(shape.k(), config.whole("tileK"));
        Raster raster = LaunchConfig.of(config).raster(grid.clusterTilesM(), grid.clusterTilesN());
        for (int tile = 0; tile < grid.clusterTiles(); tile++) {
            Raster.Place place = raster.place(tile);
            rows.add(new Row(
                    gemm,
                    place.m() * grid.clusterM(),
                    place.n() * grid.clusterN(),
                    kBlocks,
                    grid.tilesM(),
                    grid.tilesN()));
        }
    }

    @Override
    public int clusterTiles() {
        return rows.size();
    }

    @Override
    public int pieces() {
        return clusterTiles();
    }

    @Override
    public boolean isPadding(int piece, int tileM, int tileN) {
        Row row = rows.get(piece);
        return tileM >= row.tilesM() || tileN >= row.tilesN();
    }

    /** The table as it lies in the memory of a GPU. */
    public List<Integer> words() {
        return rows.stream().flatMap(row -> row.words().stream()).toList();
    }
}
