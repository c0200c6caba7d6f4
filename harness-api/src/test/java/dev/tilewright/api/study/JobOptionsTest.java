package dev.tilewright.api.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The options of stored jobs. */
class JobOptionsTest {

    /** A job of a version without some option has the default of that option. */
    @Test
    void optionsOfBeforeHaveDefaults() {
        JobOptions options = JsonMapper.builder().build().readValue("""
                {"family":"sm90-gemm","restriction":{"values":{},"full":false},"strategy":"model",
                "budget":{"trials":null,"seconds":null,"finalists":1},"seed":1,"device":"auto","check":false}""", JobOptions.class);

        assertThat(options.tableKernels()).isEqualTo(8);
        assertThat(options.peerSeconds()).isEqualTo(3);
        assertThat(options.comparesSchedulers()).isFalse();
        assertThat(options.peers()).isEmpty();
    }
}
