// The manager speaks in these libraries' terms: whoever imports it needs no import besides.
@_exported import Bitcoin
@_exported import ChainData
@_exported import ExplainedErrors
@_exported import SmartCard
@_exported import TapProtocol
