package dev.tilewright.space.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** In which order algorithms of the vendor's library are worth a try. */
class VendorKnowledgeTest {

    private static final VendorCapability NEW = new VendorCapability(66, List.of(20, 23), List.of(35), true, 2, 0, 7);
    private static final VendorCapability OLD =
            new VendorCapability(21, List.of(15, 18, 20), List.of(12, 16), false, 0, 1, 0);

    private static final VendorKnowledge KNOWN = VendorKnowledge.read(Stream.of(
            "# of a test",
            "m,n,k,algorithm,tile,splitK,reduction,swizzle,custom,stages,innerShape,clusterShape",
            "4096,4096,4096,66,23,1,0,0,4,35,0,3",
            "4096,4096,4096,99,1,1,0,0,0,0,0,0",
            "128,8192,8192,66,20,4,2,0,1,35,0,5",
            "128,8192,4096,66,20,4,2,0,1,35,0,5"));

    private static List<VendorAlgorithm> first(int count, ProblemShape shape, long seed) {
        return KNOWN.inOrder(shape, List.of(OLD, NEW), seed).limit(count).toList();
    }

    @Test
    void whatWonForLikeShapesComesFirst() {
        assertThat(first(2, new ProblemShape(4000, 4000, 5000), 1))
                .extracting(algorithm -> algorithm.config().canonical())
                .as("99 is none of the library's")
                .containsExactly(
                        "algorithmId=66 clusterShapeId=3 ctaSwizzling=0 customOption=4 innerShapeId=0 reductionScheme=0"
                                + " splitKNum=1 stagesId=35 tileId=23",
                        "algorithmId=66 clusterShapeId=5 ctaSwizzling=0 customOption=1 innerShapeId=0 reductionScheme=2"
                                + " splitKNum=4 stagesId=35 tileId=20");
        assertThat(first(1, new ProblemShape(160, 9000, 8000), 1).getFirst().splits())
                .isEqualTo(4);
    }

    @Test
    void thenItsVariantsAndThenDrawsEachOnce() {
        List<VendorAlgorithm> all = first(2000, new ProblemShape(4096, 4096, 4096), 7);
        assertThat(all).doesNotHaveDuplicates();
        assertThat(all.subList(2, 2 + 8 * 15 - 1))
                .as("custom options and clusters of the nearest win")
                .allSatisfy(algorithm ->
                        assertThat(algorithm.withCustom(4).withCluster(3)).isEqualTo(all.getFirst()));
        assertThat(all.subList(400, 2000)).extracting(VendorAlgorithm::id).contains(21, 66);
        assertThat(all.subList(400, 2000))
                .as("sums that are split are added up, others are not")
                .allSatisfy(algorithm -> assertThat(algorithm.splits() == 1)
                        .isEqualTo(algorithm.attributes().get(3) == 0));
    }

    @Test
    void theSeedSettlesTheOrder() {
        ProblemShape shape = new ProblemShape(512, 1024, 2048);
        assertThat(first(600, shape, 3)).isEqualTo(first(600, shape, 3)).isNotEqualTo(first(600, shape, 4));
    }

    @Test
    void whatIsStoredCanBeRead() {
        List<VendorKnowledge.Win> stored = VendorKnowledge.stored().wins();
        assertThat(stored).hasSizeGreaterThan(100);
        assertThat(stored).extracting(win -> win.shape().toString()).contains("4096x4096x4096", "128x8192x8192");
    }

    @Test
    void anAlgorithmIsItsConfig() {
        for (VendorKnowledge.Win win : VendorKnowledge.stored().wins()) {
            assertThat(VendorAlgorithm.of(win.algorithm().config())).isEqualTo(win.algorithm());
        }
        assertThatThrownBy(() -> VendorAlgorithm.of(Config.parse("algorithmId=66 tileId=20")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("splitKNum");
    }

    @Test
    void aTableSaysWhatAlgorithmsCanBeSetTo() {
        VendorCapabilities table = VendorCapabilities.read(Stream.of(
                "# of a test",
                "a,b,d,algorithm,tiles,stages,splitK,reductions,swizzles,customs",
                "bf16,bf16,bf16,66,1-3 7 9-10,35,1,5,0,7",
                "f16,f16,f32,21,0,0,0,7,1,0"));
        OperandTypes wide = OperandTypes.parse("f16,f16,f32");

        assertThat(table.of(OperandTypes.of(DataType.BF16)))
                .containsExactly(new VendorCapability(66, List.of(1, 2, 3, 7, 9, 10), List.of(35), true, 5, 0, 7));
        assertThat(table.of(wide)).extracting(VendorCapability::id).containsExactly(21);
        assertThat(table.of(wide).getFirst().schemes()).as("it cannot split").isEmpty();
        assertThat(table.of(OperandTypes.of(DataType.F16)))
                .as("types without a table have that of bf16")
                .isEqualTo(table.of(OperandTypes.of(DataType.BF16)));
        assertThatThrownBy(() -> VendorCapabilities.read(Stream.of("f16,f16,f32,21,0,0,0,7,1,0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there must be a table for");
    }

    @Test
    void theStoredTableHasWhatWon() {
        List<VendorCapability> table = VendorCapabilities.stored().of(OperandTypes.of(DataType.BF16));
        for (VendorKnowledge.Win win : VendorKnowledge.stored().wins()) {
            VendorCapability algorithm = table.stream()
                    .filter(each -> each.id() == win.algorithm().id())
                    .findFirst()
                    .orElseThrow();
            assertThat(algorithm.tiles()).contains(win.algorithm().attributes().get(1));
            assertThat(algorithm.stages()).contains(win.algorithm().attributes().get(6));
        }
    }

    @Test
    void anAlgorithmHasNineNumbers() {
        assertThatThrownBy(() -> new VendorAlgorithm(List.of(66, 20)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9 attributes of 0 or more")
                .hasMessageEndingWith("got [66, 20]");
    }
}
