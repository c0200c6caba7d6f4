package dev.tilewright.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.space.family.Families;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What is known of a family is said by it: the service does not write its name nor those of its parameters. */
class FamilyNamesTest {

    private static final FamilyNames NAMES = FamilyNames.of(Families.standard());

    @Test
    void theServiceNamesNoFamilyAndNoParameter() throws IOException {
        assertThat(NAMES.below(Path.of("src/main"))).isEmpty();
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
