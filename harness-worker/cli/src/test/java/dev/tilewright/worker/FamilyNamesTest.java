package dev.tilewright.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.space.families.Families;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is known of a family is said by it: the harness does not write its name nor those of its parameters. */
class FamilyNamesTest {

    private static final FamilyNames NAMES = FamilyNames.of(Families.standard());

    /**
     * Words of a language that is not a family's: a launch description says how its kernel is launched whoever wrote
     * it, and the scenario of a problem whether its launches overlap.
     */
    private static final Map<String, Set<String>> OF_LAUNCHES =
            Map.of("java/dev/tilewright/worker/agent/trial/KernelWorkshop.java", Set.of("launchOverlap"));

    @Test
    void theHarnessNamesNoFamilyAndNoParameter() throws IOException {
        List<FamilyNames.Finding> all = new ArrayList<>();
        for (String module : List.of("link", "gpu", "agent", "cli", "../harness-api")) {
            all.addAll(NAMES.below(Path.of("..", module, "src", "main")));
        }

        assertThat(all.stream()
                        .filter(finding -> !OF_LAUNCHES
                                .getOrDefault(finding.file(), Set.of())
                                .contains(finding.name())))
                .isEmpty();
        assertThat(all.stream()
                        .collect(Collectors.groupingBy(
                                FamilyNames.Finding::file,
                                Collectors.mapping(FamilyNames.Finding::name, Collectors.toSet()))))
                .as("an exception that nobody needs is none")
                .isEqualTo(OF_LAUNCHES);
    }

    @Test
    void namesAreTakenFromTheFamilies() {
        assertThat(NAMES.names())
                .containsAll(Families.standard().names())
                .contains("cublaslt", "tileM", "ctaGroup", "tileOrder", "launchOverlap", "majorA", "typeD")
                .doesNotContain("scheduler", "mode", "registers");
    }

    /** Otherwise the rule would be kept by whatever stands there. */
    @Test
    void findsWhatIsPlanted() throws IOException {
        String java = """
                /** Of "tileM", which a comment may name. */
                class Planted {
                    String plain = "tileM";
                    String within = "such as tileN=128,256"; // "tileK"
                    int tileK = "untileM tileMs sm90 scheduler".length();
                    String block = \"""
                        select config ->> 'clusterM' from trial\""";
                    @Deprecated(since = "sm90-gemm or cublaslt")
                    char quote = '"';
                }
                """;
        assertThat(NAMES.in("Planted.java", java))
                .extracting(FamilyNames.Finding::toString)
                .containsExactly(
                        "Planted.java:3: tileM",
                        "Planted.java:4: tileN",
                        "Planted.java:6: clusterM",
                        "Planted.java:8: sm90-gemm",
                        "Planted.java:8: cublaslt");
        assertThat(NAMES.in("views.sql", "select 1;\n\nselect config ->> 'swizzle', config ->> 'scheduler';\n"))
                .extracting(FamilyNames.Finding::toString)
                .containsExactly("views.sql:3: swizzle");
    }
}
