package dev.tilewright.space.raster;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The order in which cluster tiles follow each other: the tiles that run at one time should share rows of A and B in
 * L2. The order is a pure function from the linear tile to its coordinates; it does not depend on the tile scheduler.
 */
public enum RasterOrder {
    /** Down the first column of tiles, then the next. */
    ALONG_M("alongM", false, false),
    /** Along the first row of tiles, then the next. */
    ALONG_N("alongN", true, false),
    /** In bands of {@code rasterGroup} rows: down the band's columns, one column after the other. */
    GROUPED_M("groupedM", false, true),
    /** In bands of {@code rasterGroup} columns: along the band's rows, one row after the other. */
    GROUPED_N("groupedN", true, true);

    private final String parameterValue;
    private final boolean alongN;
    private final boolean grouped;

    RasterOrder(String parameterValue, boolean alongN, boolean grouped) {
        this.parameterValue = parameterValue;
        this.alongN = alongN;
        this.grouped = grouped;
    }

    /** Whether a raster group makes a difference. */
    public boolean grouped() {
        return grouped;
    }

    /**
     * The raster of a grid of cluster tiles.
     *
     * @param tilesM rows of cluster tiles
     * @param tilesN columns of cluster tiles
     * @param group rows or columns of a band; without meaning unless {@link #grouped()}
     */
    public Raster raster(int tilesM, int tilesN, int group) {
        int extent = alongN ? tilesN : tilesM;
        return new Raster(tilesM, tilesN, grouped ? Math.min(group, extent) : extent, alongN);
    }

    /**
     * Reads the value of the parameter {@code rasterOrder}.
     *
     * @throws IllegalArgumentException naming the value and the known ones
     */
    public static RasterOrder parse(String text) {
        for (RasterOrder order : values()) {
            if (order.parameterValue.equals(text)) {
                return order;
            }
        }
        throw new IllegalArgumentException("unknown raster order '" + text + "'; known: "
                + Arrays.stream(values()).map(RasterOrder::toString).collect(Collectors.joining(", ")));
    }

    @Override
    public String toString() {
        return parameterValue;
    }
}
