package dev.tilewright.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.parse.PtxParser;
import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.TensorAddress;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The corpus, with the text of what only others write, holds every instruction record, and ptxas takes all of it. */
class CorpusTest {
    @Test
    void holdsEveryRecord() throws Exception {
        List<PtxModule> modules =
                new ArrayList<>(List.of(Corpus.oldest(), Corpus.newer(), BlackwellCorpus.of(CtaGroup.ONE)));
        try (Stream<Path> hand = Files.list(Path.of("src/test/resources/dev/tilewright/ptx/parse/hand"))) {
            for (Path file : hand.toList()) {
                modules.add(PtxParser.parse(Files.readString(file)));
            }
        }
        Set<Class<?>> used = modules.stream()
                .flatMap(module -> module.entries().stream())
                .flatMap(entry -> entry.body().stream())
                .flatMap(statement -> switch (statement) {
                    case Instruction i -> Stream.of(i);
                    case Statement.Guarded g -> Stream.of(g.instruction());
                    case Statement.LabelTarget _, Statement.Comment _ -> Stream.<Instruction>empty();
                })
                .map(Object::getClass)
                .collect(Collectors.toSet());
        assertThat(used).containsAll(records(Instruction.class).toList());
    }

    /** An instruction tells no operand by default, so one with operands must tell them itself. */
    @Test
    void recordWithOperandsTellsThem() throws Exception {
        for (Class<?> record : records(Instruction.class).toList()) {
            boolean operands = Arrays.stream(record.getRecordComponents())
                    .map(RecordComponent::getType)
                    .anyMatch(type -> Operand.class.isAssignableFrom(type)
                            || Address.class.isAssignableFrom(type)
                            || type == TensorAddress.class);
            Class<?> teller = record.getMethod("operands", OperandVisitor.class).getDeclaringClass();
            assertThat(!operands || teller == record).as(record.getName()).isTrue();
        }
    }

    @Test
    void assemblesAtTheOldestIsa() throws Exception {
        String text = PtxWriter.write(Corpus.oldest());
        assertThat(text).startsWith(".version 8.0\n");
        Ptxas.assemble(text, "sm_90a");
    }

    @Test
    void statesTheLowestIsaThatItsInstructionsNeed() throws Exception {
        PtxModule module = Corpus.newer();
        assertThat(module.isa()).isEqualTo(new IsaVersion(8, 6));
        Ptxas.assemble(PtxWriter.write(module), "sm_90a");
    }

    @ParameterizedTest
    @EnumSource
    void blackwellAssembles(CtaGroup group) throws Exception {
        String text = PtxWriter.write(BlackwellCorpus.of(group));
        assertThat(text).startsWith(".version 8.6\n");
        Ptxas.assemble(text, "sm_100a");
    }

    @Test
    void textIsKept() {
        Golden.check("Blackwell", PtxWriter.write(BlackwellCorpus.of(CtaGroup.TWO)));
        Golden.check("Corpus", PtxWriter.write(Corpus.oldest()));
    }

    private static Stream<Class<?>> records(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(CorpusTest::records)
                : Stream.of(type);
    }
}
