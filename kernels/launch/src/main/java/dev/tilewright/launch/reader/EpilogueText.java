package dev.tilewright.launch.reader;

import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.Node;
import dev.tilewright.model.problem.Epilogue;

/** Reads an epilogue, which a document writes as the command line does: {@code bias,gelu}. */
public final class EpilogueText {

    private EpilogueText() {}

    /** @throws DocumentException naming the step and the rule */
    public static Epilogue read(Node node) {
        try {
            return Epilogue.parse(node.text());
        } catch (IllegalArgumentException wrong) {
            throw node.at().wrong(String.valueOf(wrong.getMessage()));
        }
    }

    /**
     * A buffer is named where the epilogue reads it, and nowhere else.
     *
     * @param key of the buffer
     * @param step of the epilogue that reads it
     * @throws DocumentException if one of the two is missing
     */
    static void requireBeside(Node.Mapping node, String key, String step, boolean reads) {
        boolean given = node.find(key).isPresent();
        if (reads && !given) {
            Node epilogue = node.get("epilogue");
            throw epilogue.at()
                    .wrong("has the step " + step + ", which needs the key '" + key + "' beside it, got "
                            + epilogue.shown());
        }
        if (given && !reads) {
            Node buffer = node.get(key);
            throw buffer.at()
                    .wrong("needs the step " + step + " in the key 'epilogue' beside it, got " + buffer.shown());
        }
    }
}
