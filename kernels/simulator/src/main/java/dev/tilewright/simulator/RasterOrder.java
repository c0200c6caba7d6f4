package dev.tilewright.simulator;

import java.util.Arrays;
import java.util.stream.Collectors;

/** In which order output tiles follow each other, as the parameter {@code rasterOrder} names it. */
enum RasterOrder {
    /** Down the first column of tiles, then the next. */
    ALONG_M("alongM", false, false),
    /** Along the first row of tiles, then the next. */
    ALONG_N("alongN", true, false),
    /** In bands of {@code rasterGroup} rows; in a band down its columns. */
    GROUPED_M("groupedM", false, true),
    /** In bands of {@code rasterGroup} columns; in a band along its rows. */
    GROUPED_N("groupedN", true, true);

    private final String parameterValue;
    private final boolean alongN;
    private final boolean grouped;

    RasterOrder(String parameterValue, boolean alongN, boolean grouped) {
        this.parameterValue = parameterValue;
        this.alongN = alongN;
        this.grouped = grouped;
    }

    /**
     * The raster over a grid of cluster tiles.
     *
     * @param group extent of a band; a band is never wider than the grid
     */
    Raster over(int tilesM, int tilesN, int group) {
        int extent = alongN ? tilesN : tilesM;
        return new Raster(tilesM, tilesN, grouped ? Math.min(group, extent) : extent, alongN);
    }

    /**
     * Reads the value of the parameter.
     *
     * @throws IllegalArgumentException naming the value and the orders that the model has
     */
    static RasterOrder parse(String text) {
        return Arrays.stream(values())
                .filter(order -> order.parameterValue.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the simulator has no rasterOrder '" + text
                        + "'; known: "
                        + Arrays.stream(values()).map(RasterOrder::toString).collect(Collectors.joining(", "))));
    }

    @Override
    public String toString() {
        return parameterValue;
    }
}
