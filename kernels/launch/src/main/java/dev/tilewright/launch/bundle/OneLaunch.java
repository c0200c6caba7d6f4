package dev.tilewright.launch.bundle;

import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Expectation.Gemm;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.document.Node;
import dev.tilewright.launch.document.Position;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.launch.reader.ReadLimits;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A launch description beside the one PTX file of a folder, as {@code export} writes it: a bundle of one problem. */
final class OneLaunch {
    private final Node.Mapping root;
    private final LaunchDescription launch;

    private OneLaunch(Node.Mapping root, LaunchDescription launch) {
        this.root = root;
        this.launch = launch;
    }

    /** Whether a document describes one launch. */
    static boolean is(Node.Mapping root) {
        return root.find("grid").isPresent();
    }

    /** The bundle has the files that the launch needs: programs and a cubin of an export lie beside them. */
    static Bundle read(Node.Mapping root, BundleFiles files) {
        Map<String, byte[]> needed = new TreeMap<>();
        needed.put(BundleFiles.DESCRIPTION, files.bytes(BundleFiles.DESCRIPTION));
        LaunchDescription launch = LaunchReader.read(
                root,
                path -> {
                    byte[] bytes = files.bytes(path);
                    needed.put(path, bytes);
                    return bytes;
                },
                ReadLimits.DESCRIBED);
        String text = text(root, files);
        needed.put(text, files.bytes(text));
        return new Bundle(BundleFiles.of(needed), new OneLaunch(root, launch).document(text));
    }

    private static String text(Node.Mapping root, BundleFiles files) {
        List<String> texts =
                files.names().stream().filter(name -> name.endsWith(".ptx")).toList();
        if (texts.size() != 1) {
            throw root.at()
                    .wrong("is a launch description without the key 'kernel': then the bundle has one .ptx file, got "
                            + texts);
        }
        return texts.getFirst();
    }

    private KernelYaml document(String text) {
        List<Gemm> gemms = launch.expected().stream()
                .filter(Gemm.class::isInstance)
                .map(Gemm.class::cast)
                .toList();
        if (gemms.isEmpty()) {
            throw root.get("expect").at().wrong("a bundle computes a GEMM; there is no 'gemm' in it");
        }
        Problem problem = problem(gemms);
        BundleProblem takes = new BundleProblem(
                problem.types(),
                problem.major(),
                problem.scales(),
                DataType.F32,
                problem.batch() > 1,
                List.of(),
                Optional.of(problem));
        Node file = new Node.Scalar(root.at(), Node.Kind.TEXT, text);
        return new KernelYaml(
                name(text),
                takes,
                gemms.getFirst().epilogue(),
                List.of(),
                new Definitions(new LinkedHashMap<>()),
                List.of(),
                new KernelTemplate(file, false, root.find("entry"), Optional.empty()),
                new LaunchTemplate(root, takes, BundleScales.NONE, BundleEpilogue.NONE, Optional.empty()),
                Optional.empty());
    }

    /** The name of the text, as far as it may be the name of a bundle. */
    private String name(String file) {
        String name = file.substring(file.lastIndexOf('/') + 1).replaceFirst("\\.ptx$", "");
        String plain =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return BundleReader.name(new Node.Scalar(new Position(1, 1, "name of " + file), Node.Kind.TEXT, plain));
    }

    private Problem problem(List<Gemm> gemms) {
        Gemm first = gemms.getFirst();
        return new Problem(
                gemms.stream()
                        .map(gemm -> new ProblemShape(gemm.m(), gemm.n(), gemm.k()))
                        .toList(),
                first.batch(),
                new OperandTypes(type(first.a()), type(first.b()), type(first.d())),
                new OperandMajors(
                        first.a().transposed() ? Major.M : Major.K,
                        first.b().transposed() ? Major.N : Major.K,
                        first.d().transposed() ? Major.M : Major.N),
                Scenario.QUIET,
                Epilogue.NONE,
                first.scaled());
    }

    private DataType type(Expectation.Operand operand) {
        ElementType type = launch.buffer(operand.buffer()).type();
        try {
            return DataType.parse(type == ElementType.TF32 ? "f32" : type.toString());
        } catch (IllegalArgumentException noneOfProblems) {
            throw root.get("expect").at().wrong("buffer " + operand.buffer() + ": " + noneOfProblems.getMessage());
        }
    }
}
