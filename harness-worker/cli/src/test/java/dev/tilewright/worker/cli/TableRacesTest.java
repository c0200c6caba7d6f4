package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import org.junit.jupiter.api.Test;

/** Kernels of a table and of a full tune. */
class TableRacesTest {

    private static final String FAMILY = "sm90-gemm";
    private static final int H200 = 132;

    /** An H100 PCIe has 114 SMs. */
    private static final int FEWER = 114;

    /** So many rows are few for 132 SMs, whose space has clusterK, and many for 114. */
    @Test
    void aKernelHasTheNameThatItHasOnTheDeviceOfTheTune() {
        FamilySpace family = Families.standard().named(FAMILY);
        Problem problem = Problem.of(new ProblemShape(1300, 768, 7808), DataType.BF16);
        Config best = SpaceTree.of(family.space(problem, DeviceLimits.of(FEWER)))
                .configs()
                .findFirst()
                .orElseThrow();
        Config table = best.with("clusterK=1");

        assertThat(best.has("clusterK")).isFalse();
        assertThat(TableRaces.isOne(FAMILY, problem, FEWER, table, best)).isTrue();
        assertThat(TableRaces.isOne(FAMILY, problem, FEWER, best.with("clusterK=2"), best))
                .isFalse();
        assertThat(TableRaces.isOne(FAMILY, problem, H200, table, table)).isTrue();
        assertThat(TableRaces.isOne(FAMILY, problem, H200, table, best)).isFalse();
    }
}
