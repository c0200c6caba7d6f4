package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Verbs that need neither a service nor a GPU, asked of the family whose kernels are the vendor's. */
class LibraryFamilyVerbsTest {

    private static final String CONFIG =
            "algorithmId=66 tileId=23 splitKNum=1 reductionScheme=0 ctaSwizzling=0 customOption=4 stagesId=35 innerShapeId=0"
                    + " clusterShapeId=3";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        CommandLine line = RootCommand.commandLine(
                Map.of(), new PredictCommand(new Printer(stream)), new ExplainCommand(new Printer(stream)));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void nobodyPredictsIt() {
        assertThat(run("predict", "--family", "cublaslt", "--shape", "512x512x512"))
                .isEqualTo(2);
        assertThat(err.toString())
                .contains("--family: no model of a GPU knows the kernels of cublaslt: a GPU times them");
    }

    @Test
    void itsConfigsAreExplained() {
        assertThat(run("explain", "--family", "cublaslt", CONFIG)).isZero();
        assertThat(said())
                .contains("a config of cublaslt:", "tile 23 of the library's header", "custom option 4")
                .contains("it keeps every rule of");
    }

    @Test
    void itsValuesAreListedByTheEndsOfLongRuns() {
        assertThat(run("explain", "--family", "cublaslt")).isZero();
        assertThat(said().lines().map(String::strip).filter(line -> line.startsWith("tileId")))
                .singleElement()
                .asString()
                .contains("0 to 634");
        assertThat(said().lines().map(String::strip).filter(line -> line.startsWith("algorithmId")))
                .singleElement()
                .asString()
                .contains("[67]", " 66");
        assertThat(said().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThan(120));
    }

    @Test
    void aBrokenRuleIsNamed() {
        assertThat(run("explain", "--family", "cublaslt", CONFIG.replace("stagesId=35", "stagesId=34")))
                .isEqualTo(1);
        assertThat(said()).contains("algorithm 66 of the library has no stagesId 34");
    }
}
