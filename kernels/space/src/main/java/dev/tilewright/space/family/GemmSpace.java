package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;

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
}
