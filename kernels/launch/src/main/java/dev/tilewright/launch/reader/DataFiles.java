package dev.tilewright.launch.reader;

import dev.tilewright.launch.Fill;
import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.Node;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import dev.tilewright.model.text.FileFault;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.util.List;

/** Elements out of files and lists. */
final class DataFiles {
    private final FileSource source;

    DataFiles(FileSource source) {
        this.source = source;
    }

    /** The content of a file: {@code .npy}, or else raw little-endian elements. */
    Fill.Packed file(Node node, ElementType type, List<Long> shape) {
        String name = node.text();
        if (source == FileSource.NONE) {
            throw node.at().wrong("names the file '" + name + "', but this description comes without its files");
        }
        try {
            byte[] bytes = source.read(name);
            byte[] content = name.endsWith(".npy") ? NpyFile.elements(bytes, type, shape) : bytes;
            long wanted = count(shape) * type.bytes();
            if (content.length != wanted) {
                throw node.at()
                        .wrong("must be a file of " + wanted + " bytes, " + type + shape + ", but " + name + " has "
                                + content.length);
            }
            return new Fill.Packed(content, "file " + name);
        } catch (InvalidPathException noPath) {
            throw node.at().wrong("must be the path of a file, got '" + name + "'");
        } catch (IOException unreadable) {
            throw node.at()
                    .wrong("must be a file that can be read, got '" + name + "': " + FileFault.reason(unreadable));
        } catch (IllegalArgumentException notFitting) {
            throw node.at().wrong("file " + name + ": " + notFitting.getMessage());
        }
    }

    /** Elements that are written out. */
    Fill.Packed values(Node node, ElementType type, List<Long> shape) {
        List<Node> items = node.items();
        long wanted = count(shape);
        if (items.size() != wanted) {
            throw node.at()
                    .wrong("must be a list of " + wanted + " elements, " + type + shape + ", got " + items.size());
        }
        byte[] content = new byte[Math.toIntExact(wanted * type.bytes())];
        for (int i = 0; i < items.size(); i++) {
            Elements.put(content, i * type.bytes(), type, bits(items.get(i), type));
        }
        return new Fill.Packed(content, "values");
    }

    /** One element that is written out. */
    static long bits(Node node, ElementType type) {
        String text = node.number();
        try {
            return type.parse(text);
        } catch (IllegalArgumentException notOne) {
            DocumentException wrong = node.at().wrong(String.valueOf(notOne.getMessage()));
            wrong.initCause(notOne);
            throw wrong;
        }
    }

    private static long count(List<Long> shape) {
        return shape.stream().reduce(1L, Math::multiplyExact);
    }
}
