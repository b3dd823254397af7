//! Safe display of untrusted text, widths, wrapping, did-you-mean.
