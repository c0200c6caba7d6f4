package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.SearchSpace;
import java.util.List;
import java.util.Map;

/** What both GEMM families know of grids and tables. */
interface GemmSpace extends FamilySpace {

    /** CTAs of a persistent grid. */
    String GRID_SIZE = "gridSize";

    /** So many as are resident. */
    int ALL_RESIDENT = 0;

    @Override
    default Config fillingTheGpu(Config config) {
        return config.has(GRID_SIZE) ? config.with(GRID_SIZE, ParameterValue.of(ALL_RESIDENT)) : config;
    }

    @Override
    default SearchSpace withoutTables(SearchSpace space) {
        boolean chooses = space.parameters().stream()
                .anyMatch(parameter -> parameter.name().equals(TileLocation.PARAMETER));
        return chooses
                ? space.restrict(
                        Map.of(TileLocation.PARAMETER, List.of(ParameterValue.of(TileLocation.RASTER.toString()))))
                : space;
    }
}
