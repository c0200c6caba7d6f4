package dev.tilewright.space.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.sm90.OnH200;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The vendor's library as a family that is tuned. */
class VendorSpaceTest {

    private static final VendorSpace FAMILY = new VendorSpace();

    private static final Problem PROBLEM = OnH200.problem("4096x2048x1024");

    private static final Config WINNER = VendorAlgorithm.of(Config.parse(
                    "algorithmId=66 tileId=23 splitKNum=1 reductionScheme=0 ctaSwizzling=0 customOption=4 stagesId=35"
                            + " innerShapeId=0 clusterShapeId=3"))
            .config();

    private static SearchSpace space() {
        return FAMILY.space(PROBLEM, OnH200.H200);
    }

    @Test
    void itIsAFamilyThatNobodyChoosesButByName() {
        Families families = Families.standard();
        assertThat(families.named("cublaslt")).isInstanceOf(VendorSpace.class);
        assertThat(families.usual().isInstalled()).isFalse();
        for (Architecture architecture : Architecture.values()) {
            assertThat(families.of(architecture).orElseThrow().isInstalled()).isFalse();
        }
        assertThat(FAMILY.isModelled()).isFalse();
        assertThat(FAMILY.withoutText(WINNER))
                .hasValueSatisfying(reason -> assertThat(reason).contains("installed library"));
        assertThat(FAMILY.peers()).containsExactly("cublaslt");
    }

    @Test
    void itsParametersAreTheAttributesOfAnAlgorithm() {
        assertThat(space().parameters().stream().map(Parameter::name))
                .containsExactlyInAnyOrderElementsOf(VendorAlgorithm.NAMES);
        assertThat(space().violation(WINNER)).isEmpty();
        assertThat(space().usual(Map.of()).violation(WINNER)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "tileId, 25, algorithmId, 21, vendorTile, algorithm 21 of the library has no tileId 25",
        "stagesId, 34, algorithmId, 66, vendorStages, algorithm 66 of the library has no stagesId 34",
        "customOption, 8, algorithmId, 66, vendorCustom, 'customOption of algorithm 66 of the library is at most 7, got 8'",
        "ctaSwizzling, 1, algorithmId, 66, vendorSwizzle, 'ctaSwizzling of algorithm 66 of the library is at most 0, got 1'",
        "reductionScheme, 2, algorithmId, 66, vendorReduction, 'must be one of [0], got 2'",
        "splitKNum, 4, algorithmId, 66, vendorReduction, 'must be one of [2], got 0'",
    })
    void aRuleIsNamed(String name, int value, String other, int id, String rule, String reason) {
        Config broken = WINNER.with(other, ParameterValue.of(id)).with(name, ParameterValue.of(value));
        assertThat(space().violation(broken))
                .hasValueSatisfying(
                        violation -> assertThat(violation.toString()).contains(rule, reason));
    }

    @Test
    void whatWonForLikeShapesIsTriedFirst() {
        SpaceTree usual = SpaceTree.of(space().usual(Map.of()));
        List<Config> first = FAMILY.promising(PROBLEM, 1).limit(300).toList();
        assertThat(first).doesNotHaveDuplicates().hasSize(300);
        assertThat(first).allMatch(usual::contains);
        assertThat(FAMILY.promising(PROBLEM, 1).limit(300).toList()).isEqualTo(first);
    }

    @Test
    void itsSpaceIsLargeAndTheWholeOneLarger() {
        long usual = SpaceTree.of(space().usual(Map.of())).size();
        assertThat(usual).isGreaterThan(100_000);
        assertThat(SpaceTree.of(space()).size()).isGreaterThan(100 * usual);
    }

    @Test
    void itRefusesWhatTheLibraryDoesNotMultiply() {
        assertThat(FAMILY.refusal(PROBLEM)).isEmpty();
        assertThat(FAMILY.refusal(OnH200.problem("1001x77x333"))).isEmpty();
        assertThat(FAMILY.refusal(new Problem(
                        List.of(new ProblemShape(64, 64, 64), new ProblemShape(128, 64, 64)),
                        1,
                        PROBLEM.types(),
                        PROBLEM.major(),
                        Scenario.QUIET)))
                .hasValueSatisfying(reason -> assertThat(reason).contains("GEMMs of one shape at once"));
        assertThat(FAMILY.refusal(PROBLEM.beside(Scenario.QUIET.overlapping())))
                .hasValueSatisfying(reason -> assertThat(reason).contains("launchOverlap"));
        assertThat(FAMILY.refusal(new Problem(
                        PROBLEM.groups(),
                        1,
                        new OperandTypes(DataType.E5M2, DataType.E5M2, DataType.BF16),
                        OperandMajors.DEFAULT,
                        Scenario.QUIET)))
                .hasValueSatisfying(reason -> assertThat(reason).contains("no e5m2 by e5m2"));
    }
}
