package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.proof.emulation.ProofPlan;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProverTest {

    private static final String SHAPE = "200x264x136";

    private final Prover prover = new Prover(GemmFamilies.standard());

    private static Proof proof(Prover prover, String parameters, String shape, ProofPlan plan) {
        return prover.prove(Kernels.FAMILY, Kernels.problem(shape), Kernels.config(parameters), plan);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduler=static | 200x264x136 | 5 tiles of a CTA | 8 wraps of loadFull",
                "scheduler=static clusterM=2 multicast=both | 328x264x104 | 7 tiles of a CTA | 9 wraps of loadFull",
                "scheduler=static mode=pingpong consumers=2 | 200x264x136 | 5 tiles of a CTA | 8 wraps of loadFull",
                "scheduler=single | 200x264x328 | 5 waves of clusters | 3 wraps of loadFull",
            })
    void provesWhatIsRightAndSaysHowDeep(String parameters, String shape, String tiles, String wraps) {
        Proof proof = proof(prover, parameters, shape, new ProofPlan(4, 5, 3));

        assertThat(proof).isInstanceOf(Proof.Proved.class);
        assertThat(proof.outcome()).isEqualTo(TrialOutcome.COMPLETED);
        assertThat(proof.summary()).startsWith("proved with seeds 5..7: ").contains(tiles, wraps);
        assertThat(proof.details()).last().isEqualTo("ran: " + shape + " on 4 SMs");
        assertThat(proof.subject().isMapped()).isFalse();
        assertThat(proof.effort().runs())
                .as("three seeds and the traced twin once")
                .isEqualTo(4);
        assertThat(proof.effort().multiplyAdds()).isPositive();
        assertThat(proof.effort().instructions()).isPositive();
    }

    @Test
    void provesThatALaunchWaitsForTheOneAheadOfIt() {
        String parameters = "scheduler=static launchOverlap=prologue";
        assertThat(proof(prover, parameters, SHAPE, new ProofPlan(4, 5, 3))).isInstanceOf(Proof.Proved.class);

        Prover hasty = new Prover(Kernels.spoilt(text -> text.replace("griddepcontrol.wait;", "")));
        Proof refuted = proof(hasty, parameters, SHAPE, Kernels.PLAN);
        assertThat(refuted).isInstanceOf(Proof.Refuted.class);
        assertThat(refuted.outcome()).isEqualTo(TrialOutcome.HAZARD);
        assertThat(refuted.details())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("hazard: grid ahead not awaited: the copy")
                        .contains("of buffer A"));
        assertThat(refuted.details())
                .anySatisfy(line -> assertThat(line).contains("cp.async.bulk.tensor.2d.shared::cluster"));
    }

    @ParameterizedTest
    @CsvSource({"scheduler=atomic", "scheduler=atomic clusterN=2 multicast=both"})
    void provesTheAtomicSchedulerAndItsRing(String parameters) {
        Proof proof = proof(prover, parameters, "328x520x136", Kernels.PLAN);

        assertThat(proof).as(proof.summary()).isInstanceOf(Proof.Proved.class);
        Map<String, Integer> counts = ((Proof.Proved) proof).depth().counts();
        assertThat(counts)
                .containsOnlyKeys(
                        "tiles of a CTA",
                        "wraps of loadEmpty",
                        "wraps of loadFull",
                        "wraps of tileEmpty",
                        "wraps of tileFull");
        assertThat(counts.values()).allMatch(count -> count >= 3);
    }

    /** Also a large problem, on a small one that leaves each piece a block of K. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "scheduler=static splitK=2 | 200x264x200",
                "scheduler=atomic splitK=4 | 200x136x328",
                "scheduler=single splitK=2 | 200x264x584",
                "scheduler=static splitK=4 mode=pingpong consumers=2 | 1000x1016x4104",
                "scheduler=static clusterK=2 | 200x264x200",
                "scheduler=single clusterK=4 | 200x136x2040",
                "scheduler=atomic clusterK=2 mode=pingpong consumers=2 | 1000x1016x4104",
            })
    void provesSplitTiles(String parameters, String shape) {
        Proof proof = proof(prover, parameters, shape, new ProofPlan(4, 1, 2));

        assertThat(proof).as(proof.summary() + proof.details()).isInstanceOf(Proof.Proved.class);
    }

    @Test
    void sumsThatAreNotAcquiredAreAHazard() {
        Proof.Refuted proof =
                refuted("scheduler=static splitK=2", "role multiply", "atom.acq_rel.gpu", "atom.relaxed.gpu");

        assertThat(proof.outcome()).isEqualTo(TrialOutcome.HAZARD);
        assertThat(proof.details().getFirst()).startsWith("hazard: ").contains(" of buffer WORKSPACE");
    }

    @Test
    void sameSeedsSameProof() {
        Proof first = proof(prover, "scheduler=atomic", "328x264x72", new ProofPlan(4, 11, 2));

        assertThat(proof(prover, "scheduler=atomic", "328x264x72", new ProofPlan(4, 11, 2)))
                .isEqualTo(first);
        assertThat(proof(prover, "scheduler=atomic", "328x264x72", new ProofPlan(4, 12, 2))
                        .effort())
                .isNotEqualTo(first.effort());
    }

    @Test
    void aLargeProblemIsProvedOnASmallOneWithItsTails() {
        Proof proof = proof(prover, "scheduler=static", "8200x4104x4008", Kernels.PLAN);

        assertThat(proof).isInstanceOf(Proof.Proved.class);
        assertThat(proof.subject().asked().shape()).hasToString("8200x4104x4008");
        assertThat(proof.subject().run().shape()).hasToString("136x200x72");
        assertThat(proof.details())
                .contains("ran: 136x200x72 in place of 8200x4104x4008, which has the same tails, on 4 SMs");
    }

    @Test
    void whatIsProvedIsTheTextThatAGpuWouldGet() {
        String text = GemmFamilies.standard()
                .named(Kernels.FAMILY)
                .build(Kernels.config(""), false)
                .text();

        assertThat(proof(prover, "", SHAPE, Kernels.PLAN).subject().ptxHash()).isEqualTo(Sha256.hex(text));
    }

    @Test
    void aProblemThatIsTooSmallIsShallowWithNumbers() {
        Proof proof = proof(prover, "scheduler=static", "64x64x64", Kernels.PLAN);

        assertThat(proof).isInstanceOf(Proof.Shallow.class);
        assertThat(proof.details())
                .containsExactly(
                        "shallow: tiles of a CTA: 1, a proof needs 3",
                        "shallow: wraps of loadEmpty: 0, a proof needs 3",
                        "shallow: wraps of loadFull: 0, a proof needs 3",
                        "goes deeper with more tiles for each CTA (a larger M or N, fewer SMs) or a longer K",
                        "nothing wrong with seeds 1..5",
                        "ran: 64x64x64 on 4 SMs");
    }

    @Test
    void aShortKIsShallowUnderTheSchedulerSingle() {
        Proof proof = proof(prover, "scheduler=single", "4096x4096x64", Kernels.PLAN);

        assertThat(proof).isInstanceOf(Proof.Shallow.class);
        assertThat(proof.summary())
                .isEqualTo(
                        "shallow: wraps of loadEmpty: 0, a proof needs 3; " + "wraps of loadFull: 0, a proof needs 3");
        assertThat(proof.subject().run().shape()).as("as deep as it goes").hasToString("192x256x64");
    }

    private static Proof.Refuted refuted(String parameters, String mark, String old, String replacement) {
        Prover spoilt = new Prover(Kernels.spoilt(text -> Kernels.replaceAfter(text, mark, old, replacement)));
        Proof proof = proof(spoilt, parameters, SHAPE, new ProofPlan(4, 2, 3));
        assertThat(proof).as(proof.summary()).isInstanceOf(Proof.Refuted.class);
        return (Proof.Refuted) proof;
    }

    @Test
    void aStageThatIsNotHandedBackIsADeadlockThatNamesTheBarrier() {
        Proof.Refuted proof =
                refuted("", "MULTIPLY_K:", "mbarrier.arrive.shared::cta.b64 _, [%r", "mov.b32 %r0, %r0; // [%r");

        assertThat(proof.outcome()).isEqualTo(TrialOutcome.HAZARD);
        assertThat(proof.seed()).isEqualTo(2);
        assertThat(proof.traced()).isFalse();
        assertThat(proof.details())
                .contains("seed: 2")
                .anySatisfy(line -> assertThat(line).startsWith("hazard: deadlock: nobody can go on"));
        assertThat(proof.details())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("waiter: gemm line ")
                        .contains(
                                "'mbarrier.try_wait.parity.shared::cta.b64",
                                "(CTA ",
                                "warp 0",
                                "of loadEmpty[0] of CTA ",
                                "1 of 1 arrivals pending",
                                "; 3 more wait there in CTAs "));
    }

    /** Two consumers of one role that must take turns: it shows where one of them runs ahead of the other. */
    @Test
    void theDefaultSeedsFindAMissingOrderOfTwoConsumers() {
        Prover spoilt = new Prover(Kernels.spoilt(
                text -> Kernels.replaceAfter(text, "role multiply", "barrier.cta.sync 6, 256;", "mov.b32 %r0, %r0;")));
        String parameters = "clusterM=2 consumers=2 loadStages=6 mode=pingpong rasterGroup=8 rasterOrder=groupedM"
                + " registers=232";

        Proof proof = proof(spoilt, parameters, "200x264x136", Kernels.PLAN);

        assertThat(proof).as(proof.summary()).isInstanceOf(Proof.Refuted.class);
        assertThat(proof.outcome()).isEqualTo(TrialOutcome.HAZARD);
    }

    @Test
    void theLineOfAFindingIsALineOfTheText() {
        String[] text = new String[2];
        Prover spoilt = new Prover(Kernels.spoilt(whole -> {
            String changed = Kernels.replaceAfter(whole, "stmatrix", "    fence.proxy.async.shared::cta;\n", "");
            text[whole.contains("trace") ? 1 : 0] = changed;
            return changed;
        }));

        Proof.Refuted proof = (Proof.Refuted) proof(spoilt, "", SHAPE, new ProofPlan(4, 2, 3));

        Flaw.Hazardous flaw = (Flaw.Hazardous) proof.flaw();
        assertThat(flaw.finding().hazard()).isInstanceOf(Hazard.MissingProxyFence.class);
        assertThat(flaw.words().kind()).isEqualTo("missing proxy fence");
        int line = flaw.finding().site().line();
        assertThat(text[0].lines().toList().get(line - 1).strip())
                .isEqualTo(flaw.finding().site().instruction())
                .contains("cp.async.bulk.tensor.2d.global");
        assertThat(proof.details())
                .anySatisfy(detail -> assertThat(detail).startsWith("hazard: missing fence.proxy.async"))
                .anySatisfy(detail -> assertThat(detail)
                        .startsWith("site: kernel gemm, line " + line + ", CTA ")
                        .contains("(rank 0 of its cluster), warp 4, lane 0"));
    }

    @Test
    void aWrongElementIsNamedWithBothValues() {
        Proof.Refuted proof = refuted("", "MULTIPLY_K:", ", 1, 1, 1, 0, 0;", ", 1, 1, -1, 0, 0;");

        assertThat(proof.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(proof.details().get(0))
                .matches("mismatch: \\d+ of 52800 elements of D are wrong, the first is D\\[0,\\d+]");
        assertThat(proof.details().get(1)).matches("element: D\\[0,\\d+] is -?\\d+\\.0 instead of -?\\d+\\.0, exactly");
    }

    /** What a CTA writes for another one is handed over by an arrival that reaches its own CTA alone. */
    @Test
    void aRuleMayBeBrokenThatIsAccepted() {
        Prover spoilt = new Prover(Kernels.spoilt(text ->
                text.replace("mbarrier.arrive.release.cluster.shared::cluster", "mbarrier.arrive.shared::cluster")));
        String parameters = "scheduler=atomic clusterM=2";
        String shape = "328x520x136";
        Proof refuted = proof(spoilt, parameters, shape, new ProofPlan(4, 2, 3));
        assertThat(refuted).as(refuted.summary()).isInstanceOf(Proof.Refuted.class);
        assertThat(refuted.details()).contains("rule: cluster-scope");

        Proof proof = proof(spoilt, parameters, shape, new ProofPlan(4, 2, 3, Set.of(Rule.CLUSTER_SCOPE)));

        assertThat(proof).as(proof.summary()).isInstanceOf(Proof.Proved.class);
        assertThat(proof.accepted())
                .isNotEmpty()
                .allSatisfy(accepted -> assertThat(accepted.finding().rule()).isEqualTo(Rule.CLUSTER_SCOPE));
    }

    /** The counter wraps one draw late: this launch is right, the next one would miss a tile. */
    @Test
    void aCounterThatIsNotLeftAtZeroIsFound() {
        Proof.Refuted proof = refuted("scheduler=atomic", "WAIT_3:", ", 1;", ", 0;");

        assertThat(proof.outcome()).isEqualTo(TrialOutcome.MISMATCH);
        assertThat(proof.summary())
                .isEqualTo(
                        "refuted by seed 2: buffer COUNTER must be left at zero for the next launch, but byte 0 is not");
    }

    /** Every CTA walks over all tiles behind its first: D is right all the same, but nobody orders its writers. */
    @Test
    void aTileThatTwoCtasComputeIsARace() {
        Prover spoilt =
                new Prover(Kernels.spoilt(text -> text.replaceAll("(mov\\.u32 %r\\d+), %nctaid\\.x;", "$1, 1;")));

        Proof.Refuted proof = (Proof.Refuted) proof(spoilt, "", SHAPE, new ProofPlan(4, 2, 3));

        assertThat(proof.traced()).isFalse();
        assertThat(proof.outcome()).isEqualTo(TrialOutcome.HAZARD);
        assertThat(proof.details().getFirst())
                .startsWith("hazard: race on bytes ")
                .contains(" of buffer D: ");
    }

    @Test
    void aTileThatIsNotComputedOnceIsFoundByTheTracedTwin() {
        Prover spoilt = new Prover(Kernels.spoilt(
                text -> text.replaceAll("(red\\.relaxed\\.gpu\\.global\\.add\\.u32 \\[[^]]+]), 1;", "$1, 2;")));

        Proof.Refuted proof = (Proof.Refuted) proof(spoilt, "", SHAPE, new ProofPlan(4, 2, 3));

        assertThat(proof.traced()).isTrue();
        assertThat(proof.flaw()).isInstanceOf(Flaw.WrongVisits.class);
        assertThat(proof.details().getFirst())
                .matches("mismatch: tile 0 of 20 .* was computed 2 times instead of once");
        assertThat(proof.details()).contains("seed: 2, in the traced twin of the kernel");
    }

    @Test
    void whatTheEmulatorDoesNotKnowIsUnsupportedWithItsPlace() {
        Prover spoilt = new Prover(Kernels.spoilt(text -> Kernels.replaceAfter(
                text, "MULTIPLY_K:", "wgmma.commit_group.sync.aligned;", "frobnicate.sync.aligned;")));

        Proof proof = proof(spoilt, "", SHAPE, Kernels.PLAN);

        assertThat(proof).isInstanceOf(Proof.Unsupported.class);
        assertThat(proof.outcome()).isEqualTo(TrialOutcome.UNASSEMBLED);
        assertThat(proof.details()).hasSize(1);
        assertThat(proof.summary()).matches("unsupported: \\d+:\\d+: frobnicate.*");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sm80-gemm | 64x64x64 | '' | unknown kernel family 'sm80-gemm'; known: sm90-gemm",
                "sm90-gemm | 64x64x63 | '' | k = 63 times 2 bytes is 126",
                "sm90-gemm | 64x63x64 | '' | n = 63 times 2 bytes is 126",
                "sm90-gemm | 64x64x64 | clusterM=2 | clusterPadding: a cluster of 2x1 tiles is larger than the 1x1",
                "sm90-gemm | 640x640x64 | mode=pingpong | modeConsumers: pingpong takes 2 consumers in turn, got 1",
            })
    void refusesWhatCannotBeProvedWithValueAndRule(String family, String shape, String parameters, String message) {
        assertThatThrownBy(() -> prover.prove(family, Kernels.problem(shape), Kernels.config(parameters), Kernels.PLAN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aClusterNeedsItsSms() {
        assertThatThrownBy(() -> proof(prover, "clusterM=2", "640x640x64", new ProofPlan(1, 1, 1)))
                .hasMessageContaining("waveClusters: a device with 1 SMs holds no cluster of 2 CTAs");
    }

    @Test
    void aPlanHasSmsAndSeeds() {
        for (List<Long> plan : List.of(
                List.of(0L, 1L, 1L), List.of(4L, 1L, 0L), List.of(4L, Long.MAX_VALUE, 2L), List.of(-1L, 1L, 1L))) {
            assertThatThrownBy(() -> new ProofPlan(
                            plan.get(0).intValue(), plan.get(1), plan.get(2).intValue()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(", got ");
        }
        assertThat(new ProofPlan(4, 5, 1).seedRange()).isEqualTo("seed 5");
        assertThat(new ProofPlan(4, -5, 4).seedRange()).isEqualTo("seeds -5..-2");
    }
}
