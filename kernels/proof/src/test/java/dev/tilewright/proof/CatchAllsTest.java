package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.proof.CatchAlls.CatchAll;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No switch over our own sealed types and enums takes the rest in one case, so that the compiler names those that a new
 * instruction concerns. The exceptions are those that CONTRIBUTING names.
 */
class CatchAllsTest {
    private static final List<String> MODULES = List.of("model", "space", "ptx", "gemm", "emulator", "launch", "proof");
    /** They follow values through registers, and what they do not follow is unknown. */
    private static final Set<String> FOLLOWERS = Set.of("SharedPointers.java", "ConstantParts.java");

    @Test
    void noneBesideTheExceptions() throws IOException {
        try (StandardJavaFileManager files =
                ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null, null)) {
            List<CatchAll> all = CatchAlls.of(sources(files));
            assertThat(all)
                    .filteredOn(each -> !each.type().equals("ScalarType")
                            && !(each.type().equals("Instruction") && FOLLOWERS.contains(each.file())))
                    .isEmpty();
            assertThat(all).extracting(CatchAll::file).containsAll(FOLLOWERS);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "switch (s) { case A _ -> 1; default -> 2; }",
                "switch (s) { case A _ -> 1; case S _ -> 2; }",
                "switch (e) { case X -> 1; default -> 2; }"
            })
    void oneIsFound(String expression) throws IOException {
        assertThat(CatchAlls.of(List.of(source(expression)))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "switch (s) { case A _ -> 1; case B _ -> 2; }",
                "switch (e) { case X -> 1; case Y -> 2; }",
                "switch (text) { case \"x\" -> 1; default -> 2; }"
            })
    void aListOfCasesIsNone(String expression) throws IOException {
        assertThat(CatchAlls.of(List.of(source(expression)))).isEmpty();
    }

    private static List<JavaFileObject> sources(StandardJavaFileManager files) throws IOException {
        List<Path> paths = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> all = Files.walk(Path.of("..", module, "src/main/java"))) {
                all.filter(file -> file.toString().endsWith(".java") && !file.endsWith("package-info.java"))
                        .forEach(paths::add);
            }
        }
        List<JavaFileObject> sources = new ArrayList<>();
        files.getJavaFileObjectsFromPaths(paths).forEach(sources::add);
        assertThat(sources).hasSizeGreaterThan(500);
        return sources;
    }

    private static JavaFileObject source(String expression) {
        String text = """
                package dev.tilewright.some;

                class Some {
                    sealed interface S {}
                    record A() implements S {}
                    record B() implements S {}
                    enum E { X, Y }

                    static int of(S s, E e, String text) {
                        return %s;
                    }
                }
                """.formatted(expression);
        return new SimpleJavaFileObject(URI.create("string:///Some.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
