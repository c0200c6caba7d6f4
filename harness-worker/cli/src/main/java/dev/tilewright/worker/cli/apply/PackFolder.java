package dev.tilewright.worker.cli.apply;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.program.PackProgram;
import dev.tilewright.launch.program.RangeProgram;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.proof.export.RangeExport;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.cli.capture.CaptureFile;
import dev.tilewright.worker.cli.export.Assembly;
import dev.tilewright.worker.cli.export.ExportFolder;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes packs. */
public record PackFolder(GemmFamilies families, Assembly assembly) {

    private static final Pattern TARGET = Pattern.compile("sm_(\\d+)(\\d)[a-z]?");
    private static final int HASH_DIGITS = 16;

    /**
     * Writes the pack into a folder, whose name is that of the package; files of these names are replaced.
     *
     * @param notices for the user, to which this adds
     * @return the hash of its tables
     */
    public String write(Path folder, PackPlan plan, PackDevice device, CaptureFile recording, List<String> notices)
            throws IOException {
        List<RangeExport> exports = new ArrayList<>();
        List<RangeProgram> programs = new ArrayList<>();
        PackProgram pack;
        Map<String, byte[]> files;
        try {
            for (PackPlan.Product product : plan.products()) {
                RangeExport export = export(product, device);
                exports.add(export);
                programs.add(export.program(
                        ExportFolder.name(export.problem()),
                        kernel -> assembly.cubin(kernel.title(), kernel.built().text(), kernel.target(), notices)));
            }
            pack = new PackProgram(hash(programs), programs);
            files = pack.files(folder.toAbsolutePath().normalize().getFileName().toString());
        } catch (IllegalArgumentException impossible) {
            throw CommandFailedException.usage("cannot write the pack: " + impossible.getMessage());
        }
        PackManifest manifest =
                PackManifest.of(plan, device, recording, capability(exports), pack.hash(), digest(files), programs);
        files.put("pack.json", Json.pretty().writeValueAsBytes(manifest));
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Json.writeAtomically(path, file.getValue());
        }
        return pack.hash();
    }

    private RangeExport export(PackPlan.Product product, PackDevice device) {
        List<Span> table = product.rows().stream()
                .map(row -> new Span(
                        row.from(),
                        row.to(),
                        row.config(),
                        row.us().orElse(0.0),
                        row.us().orElse(0.0)))
                .toList();
        return RangeExport.of(
                families.named(product.family()),
                product.problem(),
                table,
                DeviceLimits.of(device.sms()),
                device.origin());
    }

    private static List<Integer> capability(Collection<RangeExport> exports) {
        Matcher target =
                TARGET.matcher(exports.iterator().next().kernels().getFirst().target());
        if (!target.matches()) {
            throw new IllegalStateException("a target is sm_XX, got " + target);
        }
        return List.of(Integer.valueOf(target.group(1)), Integer.valueOf(target.group(2)));
    }

    private static String hash(List<RangeProgram> programs) {
        return Sha256.hex(programs.stream().map(RangeProgram::hash).collect(Collectors.joining("\n")))
                .substring(0, HASH_DIGITS);
    }

    /** As {@code digest()} of the package finds it: of the path and the hash of each source and header. */
    private static String digest(Map<String, byte[]> files) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        new TreeMap<>(files).forEach((path, content) -> {
            if (isCompiled(path)) {
                all.writeBytes((path + "\0").getBytes(StandardCharsets.UTF_8));
                all.writeBytes(HexFormat.of().parseHex(Sha256.hex(content)));
            }
        });
        return Sha256.hex(all.toByteArray()).substring(0, HASH_DIGITS);
    }

    private static boolean isCompiled(String path) {
        return path.endsWith(".cpp") || path.endsWith(".h") || path.endsWith(".c") && !path.endsWith("_test.c");
    }
}
