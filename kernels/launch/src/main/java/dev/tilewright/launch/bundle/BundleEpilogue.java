package dev.tilewright.launch.bundle;

import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.Node;
import dev.tilewright.launch.reader.EpilogueText;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Epilogue;
import java.util.Optional;

/**
 * The epilogue of a bundle.
 *
 * @param c type of C, if it is added
 * @param bias type of the bias, if there is one
 */
record BundleEpilogue(Epilogue steps, Optional<Node> c, Optional<Node> bias) {

    static final BundleEpilogue NONE = new BundleEpilogue(Epilogue.NONE, Optional.empty(), Optional.empty());

    /**
     * Reads the steps alone, or a mapping with the types of what they add.
     *
     * @param usual type of what is added: that of D
     * @throws DocumentException naming the value and the rule
     */
    static BundleEpilogue read(Node node, DataType usual) {
        Node ofD = new Node.Scalar(node.at(), Node.Kind.TEXT, usual.toString());
        if (node instanceof Node.Scalar) {
            return of(EpilogueText.read(node), ofD, ofD);
        }
        Node.Mapping fields = node.mapping().only("steps", "c", "bias");
        Epilogue steps = EpilogueText.read(fields.get("steps"));
        requireStep(fields.find("c"), "beta", steps.addsC());
        requireStep(fields.find("bias"), "bias", steps.bias().isPresent());
        return of(steps, fields.find("c").orElse(ofD), fields.find("bias").orElse(ofD));
    }

    private static BundleEpilogue of(Epilogue steps, Node c, Node bias) {
        return new BundleEpilogue(
                steps,
                steps.addsC() ? Optional.of(c) : Optional.empty(),
                steps.bias().map(_ -> bias));
    }

    private static void requireStep(Optional<Node> type, String step, boolean there) {
        type.filter(_ -> !there).ifPresent(node -> {
            throw node.at().wrong("needs the step " + step + " in 'steps', got " + node.shown());
        });
    }
}
