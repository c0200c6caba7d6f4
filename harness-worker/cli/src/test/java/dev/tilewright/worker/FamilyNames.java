package dev.tilewright.worker;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Names of families and of their parameters, and where somebody writes them who should ask a family. */
record FamilyNames(Set<String> names, Pattern any) {

    /** Parameters that are columns of results too, or keys of the service's own. */
    private static final Set<String> OF_RESULTS = Set.of("scheduler", "mode", "registers");

    /** A name in a string literal of Java, or anywhere in another file. */
    record Finding(String file, long line, String name) {
        @Override
        public String toString() {
            return file + ":" + line + ": " + name;
        }
    }

    /** Those that families have for plain, grouped and overlapped GEMMs of several types, on GPUs large and small. */
    static FamilyNames of(Families families) {
        Set<String> names = new TreeSet<>();
        for (FamilySpace family : families.all()) {
            names.add(family.family());
            names.addAll(family.peers());
            for (Problem problem : problems()) {
                for (int smCount : family.refusal(problem).isEmpty() ? new int[] {4, 132, 148} : new int[0]) {
                    family.space(problem, DeviceLimits.of(smCount)).parameters().stream()
                            .map(Parameter::name)
                            .forEach(names::add);
                }
            }
        }
        names.removeAll(OF_RESULTS);
        String any = names.stream().map(Pattern::quote).collect(Collectors.joining("|"));
        return new FamilyNames(names, Pattern.compile("(?<!\\w)(" + any + ")(?!\\w)"));
    }

    private static List<Problem> problems() {
        ProblemShape small = new ProblemShape(520, 1032, 264);
        ProblemShape deep = new ProblemShape(264, 2064, 4104);
        OperandMajors majors = new OperandMajors(Major.M, Major.N, Major.N);
        List<Problem> problems = new ArrayList<>();
        for (DataType type : List.of(DataType.BF16, DataType.F16)) {
            for (List<ProblemShape> groups : List.of(List.of(deep), List.of(small, deep))) {
                for (Scenario scenario : List.of(Scenario.QUIET, Scenario.QUIET.overlapping())) {
                    for (OperandMajors each : List.of(OperandMajors.DEFAULT, majors)) {
                        problems.add(new Problem(groups, 1, OperandTypes.of(type), each, scenario));
                    }
                }
            }
        }
        return problems;
    }

    /** In all files below a folder, whose paths are told from there. */
    List<Finding> below(Path folder) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                texts.put(folder.relativize(file).toString(), Files.readString(file));
            }
        }
        return in(texts);
    }

    List<Finding> in(String file, String text) throws IOException {
        return in(Map.of(file, text));
    }

    private List<Finding> in(Map<String, String> texts) throws IOException {
        List<Finding> findings = new ArrayList<>();
        List<JavaFileObject> java = new ArrayList<>();
        texts.forEach((file, text) -> {
            if (file.endsWith(".java")) {
                java.add(source(file, text));
            } else {
                List<String> lines = text.lines().toList();
                for (int line = 0; line < lines.size(); line++) {
                    find(file, line + 1, lines.get(line), findings);
                }
            }
        });
        if (!java.isEmpty()) {
            literals(java, findings);
        }
        return findings;
    }

    private static JavaFileObject source(String file, String source) {
        return new SimpleJavaFileObject(URI.create("string:///" + file), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreErrors) {
                return source;
            }
        };
    }

    /** One compiler reads them all: each takes some time to come up. */
    private void literals(List<JavaFileObject> sources, List<Finding> findings) throws IOException {
        JavacTask task =
                (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, null, null, null, sources);
        Trees trees = Trees.instance(task);
        for (CompilationUnitTree unit : task.parse()) {
            String file = unit.getSourceFile().toUri().getPath().substring(1);
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitLiteral(LiteralTree literal, Void nothing) {
                    if (literal.getValue() instanceof String text) {
                        long start = trees.getSourcePositions().getStartPosition(unit, literal);
                        find(file, unit.getLineMap().getLineNumber(start), text, findings);
                    }
                    return null;
                }
            }.scan(unit, null);
        }
    }

    private void find(String file, long line, String text, List<Finding> findings) {
        any.matcher(text)
                .results()
                .map(MatchResult::group)
                .distinct()
                .forEach(name -> findings.add(new Finding(file, line, name)));
    }
}
