package dev.tilewright.launch.bundle;

import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.Node;
import dev.tilewright.launch.expression.Bindings;
import dev.tilewright.launch.expression.ExpressionException;
import dev.tilewright.launch.expression.Holes;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Names the file with the kernel of a config.
 *
 * @param file its name, which may have holes
 * @param holes whether its text has holes too
 * @param entry of the launch
 * @param target of a cubin, which does not say it
 */
record KernelTemplate(Node file, boolean holes, Optional<Node> entry, Optional<Node> target) {
    private static final Pattern ENTRY = Pattern.compile("\\.entry\\s+([A-Za-z_$%][A-Za-z0-9_$]*)");
    private static final Pattern TARGET = Pattern.compile("(?m)^\\s*\\.target\\s+(sm_[0-9]+[af]?)");

    /** @throws DocumentException if there is no such file, or it has no such entry */
    BundleKernel in(Bindings scope, BundleFiles files) {
        String path = file.within(scope).text();
        if (!files.has(path)) {
            throw file.at().wrong("must be a file of the bundle, got '" + path + "'");
        }
        if (path.endsWith(BundleKernel.CUBIN)) {
            if (holes) {
                throw file.at().wrong("a cubin has no holes, got '" + path + "'");
            }
            Node named =
                    entry.orElseThrow(() -> file.at().wrong("a cubin needs 'entry' in the launch, got '" + path + "'"));
            return new BundleKernel.Binary(
                    path, named.within(scope).text(), target(path, scope, files), files.bytes(path));
        }
        String text = holes ? filled(path, files.text(path), scope) : files.text(path);
        List<String> entries = ENTRY.matcher(text)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .toList();
        String named = entry.map(node -> node.within(scope).text())
                .or(() -> entries.size() == 1 ? Optional.of(entries.getFirst()) : Optional.empty())
                .orElseThrow(() -> file.at()
                        .wrong(path + " has the kernels " + entries + "; the launch must name one as 'entry'"));
        if (!entries.contains(named)) {
            throw entry.map(Node::at)
                    .orElse(file.at())
                    .wrong("must be a kernel of " + path + ", " + entries + ", got '" + named + "'");
        }
        String compiledFor = TARGET.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .findFirst()
                .orElseThrow(() -> file.at().wrong(path + " has no .target"));
        return new BundleKernel.Text(path, named, compiledFor, text);
    }

    /** As it is written, and as the cubin says itself. */
    private GpuTarget target(String path, Bindings scope, BundleFiles files) {
        Node written = target.orElseThrow(() -> file.at().wrong("a cubin needs 'target', such as sm_90a"))
                .within(scope);
        GpuTarget compiledFor = GpuTarget.parse(written.text())
                .orElseThrow(() -> written.at().wrong("must be a target such as sm_90a, got " + written.shown()));
        int number = GpuTarget.numberOf(files.bytes(path))
                .orElseThrow(() -> file.at().wrong(path + " must be a cubin, an ELF file for CUDA, and is none"));
        if (number != compiledFor.number()) {
            throw written.at()
                    .wrong("must be what " + path + " is compiled for, sm_" + number + ", got " + compiledFor);
        }
        return compiledFor;
    }

    private static String filled(String path, String text, Bindings scope) {
        try {
            return Holes.filled(text, scope);
        } catch (ExpressionException wrong) {
            throw new BundleException(path + ": hole " + wrong.getMessage(), wrong);
        }
    }
}
