package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;

/** The parameters of grids and tables that both GEMM families have. */
interface GemmSpace extends FamilySpace {

    /** CTAs of a persistent grid. */
    String GRID_SIZE = "gridSize";

    /** So many as are resident. */
    int ALL_RESIDENT = 0;

    @Override
    default Config fillingTheGpu(Config config) {
        return config.has(GRID_SIZE) ? config.with(GRID_SIZE, ParameterValue.of(ALL_RESIDENT)) : config;
    }
}
