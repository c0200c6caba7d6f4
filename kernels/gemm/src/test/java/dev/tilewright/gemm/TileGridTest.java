package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.ProblemShape;
import org.junit.jupiter.api.Test;

class TileGridTest {

    @Test
    void tailsAndPadding() {
        TileGrid grid = TileGrid.of(ProblemShape.parse("300x520x64"), Configs.with("tileN=176 clusterM=2"));
        assertThat(grid).isEqualTo(new TileGrid(3, 3, 2, 1));
        assertThat(grid.clusterTilesM()).isEqualTo(2);
        assertThat(grid.clusterTilesN()).isEqualTo(3);
        assertThat(grid.clusterTiles()).isEqualTo(6);
        assertThat(grid.tilesM() * grid.tilesN()).isEqualTo(9);
        assertThat(grid.allTiles()).isEqualTo(12);
        assertThat(grid.isPadding(2, 2)).isFalse();
        assertThat(grid.isPadding(3, 0)).isTrue();
        assertThat(grid.isPadding(0, 3)).isTrue();
    }

    @Test
    void oneElementIsOneTile() {
        TileGrid grid = TileGrid.of(ProblemShape.parse("1x8x8"), Configs.with());
        assertThat(grid.allTiles()).isEqualTo(1);
        assertThat(grid.tilesM() * grid.tilesN()).isEqualTo(1);
    }
}
