package dev.tilewright.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.sm100.Sm100Gemm;
import dev.tilewright.gemm.sm90.Sm90Gemm;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.testing.Selection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A reader of a kernel's text finds his way. Each role and each wait has a comment, so have mainloop, epilogue and
 * scheduler, and what a loop carries from turn to turn has a name.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadableTextTest {

    private static final long SEED = 20261121;
    private static final int OF_EACH = 12;

    private static final Pattern COMMENT = Pattern.compile(" *// (.*)");
    private static final Pattern ROLE = Pattern.compile(" *//@ role (\\w+): .*");
    private static final Pattern LABEL = Pattern.compile("(\\w+):");
    private static final Pattern BRANCH = Pattern.compile(" *(?:@!?%\\w+ )?bra (\\w+);");
    private static final Pattern REGISTER = Pattern.compile("%[A-Za-z_]\\w*");
    private static final Pattern NUMBERED = Pattern.compile("%(p|h|r|rd|q|f|fd)\\d+");

    /** Every instruction at which a thread may stand still. */
    private static final Pattern WAIT =
            Pattern.compile(" *(?:@!?%\\w+ )?(mbarrier\\.try_wait|bar(rier)?\\.(cta\\.)?sync"
                    + "|bar\\.warp\\.sync|barrier\\.cluster\\.wait|wgmma\\.wait_group|cp\\.async\\.bulk\\.wait_group"
                    + "|tcgen05\\.wait|griddepcontrol\\.wait)\\b.*");

    /** Instructions whose first operand is read: they write none. */
    private static final Pattern WRITES_NONE =
            Pattern.compile("(st|red|bra|bar|barrier|cp|prefetch|wgmma|fence|setmaxnreg|ret|griddepcontrol)\\b.*");

    /** Each text is built once for all rules: building takes longer than reading. */
    private final List<Build> builds = built();

    /**
     * A kernel and its text.
     *
     * @param traced whether it is the twin that records who computes what
     */
    private record Build(GemmFamily family, Config config, boolean traced, String text) {

        static Build of(GemmFamily family, Config config, boolean traced) {
            return new Build(
                    family, config, traced, family.build(config, traced).text());
        }

        @Override
        public String toString() {
            return family.getClass().getSimpleName() + (traced ? ", traced, " : ", ") + config.canonical();
        }
    }

    private static List<Build> built() {
        Problem plain = Problem.of(ProblemShape.parse("4096x14336x4096"), DataType.BF16);
        Problem split = Problem.of(ProblemShape.parse("1024x2048x4096"), DataType.BF16);
        Problem grouped = new Problem(
                List.of(ProblemShape.parse("256x512x1024"), ProblemShape.parse("384x512x2048")),
                3,
                OperandTypes.of(DataType.BF16),
                OperandMajors.DEFAULT,
                Scenario.QUIET);
        Epilogue epilogue = Epilogue.parse("bias,gelu");
        List<Build> all = new ArrayList<>();
        for (Problem problem : List.of(plain, split, grouped, plain.with(epilogue), grouped.with(epilogue))) {
            all.addAll(drawn(new Sm90Gemm(), problem, 132));
        }
        for (Problem problem : List.of(plain, grouped, plain.with(epilogue))) {
            all.addAll(drawn(new Sm100Gemm(), problem, 148));
        }
        return all;
    }

    private Stream<Build> builds() {
        return builds.stream();
    }

    private static List<Build> drawn(GemmFamily family, Problem problem, int sms) {
        Cover cover = new Cover(family.space().space(problem, DeviceLimits.of(sms)));
        List<Build> builds = new ArrayList<>();
        for (Config config : Selection.of(cover.pairwise(SEED), OF_EACH)) {
            builds.add(Build.of(family, config, builds.size() % 2 == 1));
        }
        return builds;
    }

    @ParameterizedTest
    @MethodSource("builds")
    void everyWaitSaysWhatItWaitsFor(Build build) {
        assertThat(silentWaits(build.text())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("builds")
    void everyRoleSaysWhatItDoes(Build build) {
        List<String> lines = build.text().lines().toList();
        List<String> roles = new ArrayList<>();
        for (int at = 0; at < lines.size(); at++) {
            Matcher role = ROLE.matcher(lines.get(at));
            if (role.matches()) {
                roles.add(role.group(1));
                assertThat(lines.get(at + 1)).startsWith("    // " + role.group(1) + ": ");
            }
        }
        assertThat(roles).contains("load", "multiply");
    }

    @ParameterizedTest
    @MethodSource("builds")
    void theBlocksAreFound(Build build) {
        String text = build.text();
        for (String block : List.of("prologue", "scheduler", "lookup", "load", "mainloop", "epilogue")) {
            assertThat(text).contains("\n    // " + block + ": ");
        }
        if (build.traced()) {
            assertThat(text).contains("\n    // trace: ");
        }
    }

    @ParameterizedTest
    @MethodSource("builds")
    void whatALoopCarriesHasAName(Build build) {
        assertThat(namelessInLoops(build.text())).isEmpty();
    }

    @Test
    void aTextWithoutCommentsAndNamesIsNotReadable() {
        String text = new Sm90Gemm().build(Configs.with("tileN=64"), false).text();
        String silent = text.replaceAll(" *// wait .*\n", "");
        assertThat(silentWaits(silent)).hasSizeGreaterThan(5).anyMatch(wait -> wait.contains("mbarrier.try_wait"));
        assertThat(namelessInLoops(text.replace("%multiply_loadSlot", "%r9999")))
                .containsExactly("%r9999");
    }

    /** Waits between which and the wait before, or the last label of another kind, no comment says what for. */
    private static List<String> silentWaits(String text) {
        List<String> silent = new ArrayList<>();
        Optional<String> said = Optional.empty();
        for (String line : text.lines().toList()) {
            Matcher comment = COMMENT.matcher(line);
            if (comment.matches()) {
                said = Optional.of(comment.group(1));
            } else if (WAIT.matcher(line).matches()) {
                if (said.filter(words -> words.startsWith("wait ")).isEmpty()) {
                    silent.add(line.strip());
                }
                said = Optional.empty();
            }
        }
        return silent;
    }

    /** Numbered registers that a turn of a loop reads before it writes them. */
    private static Set<String> namelessInLoops(String text) {
        List<String> lines = text.lines().toList();
        Set<String> nameless = new LinkedHashSet<>();
        for (int end = 0; end < lines.size(); end++) {
            Matcher branch = BRANCH.matcher(lines.get(end));
            if (branch.matches()) {
                int begin = lines.subList(0, end).indexOf(branch.group(1) + ":");
                if (begin >= 0) {
                    nameless.addAll(carried(lines.subList(begin + 1, end + 1)));
                }
            }
        }
        nameless.removeIf(register -> !NUMBERED.matcher(register).matches());
        return nameless;
    }

    private static Set<String> carried(List<String> loop) {
        Set<String> readFirst = new LinkedHashSet<>();
        Set<String> written = new HashSet<>();
        for (String line : loop) {
            String code = line.strip();
            if (code.startsWith("//") || LABEL.matcher(code).matches()) {
                continue;
            }
            List<String> writes = writes(code);
            List<String> reads = new ArrayList<>(registers(code));
            writes.forEach(reads::remove);
            reads.stream().filter(register -> !written.contains(register)).forEach(readFirst::add);
            written.addAll(writes);
        }
        readFirst.retainAll(written);
        return readFirst;
    }

    /** The registers of the first operand, of an instruction that writes it. */
    private static List<String> writes(String code) {
        String bare = code.replaceFirst("^@!?%\\w+ ", "");
        if (WRITES_NONE.matcher(bare).matches()) {
            return List.of();
        }
        String operands = bare.substring(bare.indexOf(' ') + 1);
        String first = operands.startsWith("{") ? operands.substring(0, operands.indexOf('}')) : operands.split(",")[0];
        return first.startsWith("[") ? List.of() : registers(first);
    }

    private static List<String> registers(String code) {
        return REGISTER.matcher(code).results().map(found -> found.group()).toList();
    }
}
