package dev.tilewright.proof.file;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.hazard.Waiter;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.proof.compare.Compared;
import dev.tilewright.proof.compare.Mismatch;
import dev.tilewright.proof.emulation.Effort;
import dev.tilewright.proof.emulation.HazardWords;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.emulation.Rings;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A verdict as JSON: {@code docs/launch-description.md} lists the fields. */
public final class FileDocument {
    private final KernelFile file;

    public FileDocument(KernelFile file) {
        this.file = file;
    }

    /** The document of a kernel that could not even be read, for it uses what we do not know. */
    public static ObjectNode unsupported(Path ptx, Path launch, List<String> diagnostics) {
        ObjectNode root = root("unsupported", ptx.toString(), launch.toString());
        strings(root.putArray("unsupported"), diagnostics);
        return root;
    }

    private static ObjectNode root(String verdict, String ptx, String launch) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("schemaVersion", 1)
                .put("verdict", verdict)
                .put("file", ptx)
                .put("launch", launch);
    }

    /** The document of a verdict. */
    public ObjectNode of(FileCheckResult checked) {
        FileVerdict verdict = checked.verdict();
        FileSubject subject = file.subject();
        LaunchDescription launch = subject.launch();
        ObjectNode root = root(verdict.word(), subject.ptx(), subject.description());
        root.put("sha256", subject.sha256());
        root.put("entry", subject.entry().name());
        extents(root.putArray("grid"), launch.grid());
        extents(root.putArray("block"), launch.block());
        extents(root.putArray("cluster"), subject.cluster());
        root.put("dynamicShared", launch.dynamicShared());
        ProofPlan plan = subject.plan();
        root.put("sms", plan.sms()).put("seed", plan.seed()).put("seeds", plan.seeds());
        ArrayNode buffers = root.putArray("buffers");
        launch.buffers().forEach(buffer -> {
            ObjectNode node = buffers.addObject();
            node.put("name", buffer.name()).put("dtype", buffer.type().toString());
            buffer.shape().forEach(node.putArray("shape")::add);
            node.put("init", buffer.fill().toString());
        });
        switch (verdict) {
            case FileVerdict.Proved(Effort effort, Rings rings, Compared compared, var _) ->
                facts(root, effort, rings, compared);
            case FileVerdict.Shallow(Effort effort, Rings rings, Compared compared, var lacking, var _) -> {
                facts(root, effort, rings, compared);
                strings(root.putArray("shallow"), lacking);
            }
            case FileVerdict.Hazardous(long seed, List<Finding> findings, Effort effort, var _) -> {
                effort(root, effort);
                hazard(root.putObject("hazard").put("seed", seed), findings.getFirst());
                ArrayNode others = root.putArray("otherHazards");
                findings.stream()
                        .skip(1)
                        .forEach(finding -> hazard(others.addObject().put("seed", seed), finding));
            }
            case FileVerdict.Wrong(long seed, Mismatch mismatch, Effort effort, var _) -> {
                effort(root, effort);
                mismatch(root.putObject("mismatch").put("seed", seed), mismatch);
            }
            case FileVerdict.Unsupported(List<String> diagnostics) ->
                strings(root.putArray("unsupported"), diagnostics);
        }
        ArrayNode taken = root.putArray("taken");
        checked.taken().forEach(one -> {
            ObjectNode node = taken.addObject().put("from", one.from()).put("cta", one.cta());
            one.values().forEach(node.putArray("values")::add);
        });
        ArrayNode accepted = root.putArray("accepted");
        verdict.accepted().forEach(one -> hazard(accepted.addObject().put("seed", one.seed()), one.finding()));
        return root;
    }

    private static void extents(ArrayNode node, Extents extents) {
        node.add(extents.x()).add(extents.y()).add(extents.z());
    }

    private static void strings(ArrayNode node, List<String> texts) {
        texts.forEach(node::add);
    }

    private static void effort(ObjectNode root, Effort effort) {
        root.putObject("effort")
                .put("runs", effort.runs())
                .put("instructions", effort.instructions())
                .put("multiplyAdds", effort.multiplyAdds())
                .put("copies", effort.copies())
                .put("ctas", effort.ctas());
    }

    private static void facts(ObjectNode root, Effort effort, Rings rings, Compared compared) {
        effort(root, effort);
        root.put("compared", compared.elements()).put("errorRatio", compared.worstRatio());
        ArrayNode barriers = root.putArray("barriers");
        rings.phases()
                .forEach((name, phases) ->
                        barriers.addObject().put("barrier", name).put("phases", phases));
        strings(root.putArray("onceBarriers"), rings.once());
        strings(root.putArray("unusedBarriers"), rings.unused());
    }

    private void hazard(ObjectNode node, Finding finding) {
        HazardWords words = HazardWords.of(finding);
        node.put("rule", words.rule().text()).put("kind", words.kind()).put("message", words.message());
        site(node.putObject("site"), words.site());
        ArrayNode waiters = node.putArray("waiters");
        for (Waiter waiter : words.waiters()) {
            ObjectNode one = waiters.addObject();
            site(one.putObject("site"), waiter.site());
            one.put("reason", waiter.reason());
        }
        strings(node.putArray("excerpt"), file.excerpt(words.site()));
    }

    private void site(ObjectNode node, Site site) {
        node.put("kernel", site.kernel())
                .put("line", file.position(site).line())
                .put("column", file.position(site).column())
                .put("instruction", site.instruction())
                .put("cta", site.cta())
                .put("rank", site.rank())
                .put("warp", site.warp())
                .put("lane", site.lane());
    }

    private static void mismatch(ObjectNode node, Mismatch mismatch) {
        node.put("buffer", mismatch.buffer()).put("expectation", mismatch.expectation());
        node.put("wrong", mismatch.wrong()).put("compared", mismatch.compared());
        if (Double.isFinite(mismatch.worstRatio())) {
            node.put("errorRatio", mismatch.worstRatio());
        } else {
            node.putNull("errorRatio");
        }
        ArrayNode first = node.putArray("first");
        mismatch.first()
                .forEach(element -> first.addObject()
                        .put("index", element.index())
                        .put("got", element.got())
                        .put("expected", element.expected())
                        .put("allowed", element.allowed()));
    }
}
