package dev.tilewright.worker.gpu.sums;

import dev.tilewright.ptx.type.Element;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Sums of {@link SumInputs} that a GPU computed: {@code sums/h100-wgmma.json.gz}. */
record RecordedSums(int schemaVersion, String device, String date, List<Case> cases) {

    private static final Path FILE = Path.of("src/test/resources/sums/h100-wgmma.json.gz");

    /**
     * The sums for a pair of types.
     *
     * @param output SHA-256 of all bytes of D
     * @param sample the bits of row {@link #sampledRow} of each tile, little-endian, in base 64
     */
    record Case(Element a, Element b, String output, String sample) {
        SumInputs.Pair pair() {
            return new SumInputs.Pair(a, b);
        }

        /** Elements of the sample that differ from those of a D. */
        List<String> differences(byte[] d) {
            ByteBuffer recorded =
                    ByteBuffer.wrap(Base64.getDecoder().decode(sample)).order(ByteOrder.LITTLE_ENDIAN);
            ByteBuffer other = ByteBuffer.wrap(d).order(ByteOrder.LITTLE_ENDIAN);
            List<String> differences = new ArrayList<>();
            for (int tile = 0; tile < SumInputs.TILES; tile++) {
                for (int column = 0; column < SumInputs.COLUMNS; column++) {
                    int row = sampledRow(tile);
                    int bits = recorded.getInt();
                    int index = (tile * SumInputs.ROWS + row) * SumInputs.COLUMNS + column;
                    int found = other.getInt(Integer.BYTES * index);
                    if (found != bits) {
                        differences.add("tile %d, row %d, column %d: %08x, recorded was %08x"
                                .formatted(tile, row, column, found, bits));
                    }
                }
            }
            return differences;
        }
    }

    /** The row that is kept of a tile: another one of each warp and half of it. */
    static int sampledRow(int tile) {
        return tile * 11 % SumInputs.ROWS;
    }

    static RecordedSums read() throws IOException {
        try (InputStream packed = new GZIPInputStream(Files.newInputStream(FILE))) {
            return Json.mapper().readValue(packed, RecordedSums.class);
        }
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
